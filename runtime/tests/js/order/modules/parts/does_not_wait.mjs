console.log('does not wait');
