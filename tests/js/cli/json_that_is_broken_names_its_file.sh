program=$1
echo '{"a": }' >broken.json
echo 'try { require("./broken.json") } catch (e) { console.log(e.name, e.message.split(":")[0].split("/").pop()) }' >script.js
"$program" script.js
echo "status $?"
