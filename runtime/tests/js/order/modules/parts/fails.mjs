console.log('fails');
throw new Error('on purpose');
