#include "plugins/crypto/names.h"

#include <openssl/bio.h>
#include <openssl/objects.h>

static bool is_plain(const char* text, size_t length, bool is_utf8) {
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\' || c == ',' || c == '\'' || c < ' ' ||
            (is_utf8 ? c == 0x7F : c > '~'))
            return false;
    }
    return true;
}

/* `before` comes inside the quotes, if there are any. */
static void print_text(BIO* bio, const char* text, size_t length, bool is_utf8,
                       const char* before) {
    if (is_plain(text, length, is_utf8)) {
        BIO_puts(bio, before);
        BIO_write(bio, text, (int)length);
        return;
    }
    BIO_puts(bio, "\"");
    BIO_puts(bio, before);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '\\')
            BIO_puts(bio, "\\\\");
        else if (c == '"')
            BIO_puts(bio, "\\\"");
        else if ((c >= ' ' && c != ',' && c <= '~') || (is_utf8 && c > 0x7F))
            BIO_write(bio, &text[i], 1);
        else
            BIO_printf(bio, "\\u%04x", c);
    }
    BIO_puts(bio, "\"");
}

static void print_string(BIO* bio, const ASN1_STRING* string, bool is_utf8, const char* before) {
    print_text(bio, (const char*)ASN1_STRING_get0_data(string), (size_t)ASN1_STRING_length(string),
               is_utf8, before);
}

static void print_address(BIO* bio, const ASN1_OCTET_STRING* string) {
    const uint8_t* at = ASN1_STRING_get0_data(string);
    int length = ASN1_STRING_length(string);
    BIO_puts(bio, "IP Address:");
    if (length == 4)
        BIO_printf(bio, "%d.%d.%d.%d", at[0], at[1], at[2], at[3]);
    else if (length == 16)
        for (int i = 0; i < 8; i++)
            BIO_printf(bio, i == 0 ? "%X" : ":%X", at[2 * i] << 8 | at[2 * i + 1]);
    else
        BIO_printf(bio, "<invalid length=%d>", length);
}

static void print_directory(BIO* bio, const X509_NAME* name) {
    char* data;
    BIO* whole = BIO_new(BIO_s_mem());
    BIO_puts(bio, "DirName:");
    if (whole == NULL)
        return;
    X509_NAME_print_ex(whole, name, 0,
                       XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB & ~ASN1_STRFLGS_ESC_CTRL);
    long length = BIO_get_mem_data(whole, &data);
    print_text(bio, data, length > 0 ? (size_t)length : 0, true, "");
    BIO_free_all(whole);
}

static void print_other(BIO* bio, const OTHERNAME* other) {
    static const struct {
        int nid;
        int type;
        const char* name;
    } known[] = {{NID_id_on_SmtpUTF8Mailbox, V_ASN1_UTF8STRING, "SmtpUTF8Mailbox:"},
                 {NID_XmppAddr, V_ASN1_UTF8STRING, "XmppAddr:"},
                 {NID_SRVName, V_ASN1_IA5STRING, "SRVName:"},
                 {NID_ms_upn, V_ASN1_UTF8STRING, "UPN:"},
                 {NID_NAIRealm, V_ASN1_UTF8STRING, "NAIRealm:"}};
    int nid = OBJ_obj2nid(other->type_id);
    BIO_puts(bio, "othername:");
    for (size_t i = 0; i < PH_COUNT(known); i++)
        if (known[i].nid == nid && other->value->type == known[i].type) {
            print_string(bio, other->value->value.asn1_string, known[i].type == V_ASN1_UTF8STRING,
                         known[i].name);
            return;
        }
    BIO_puts(bio, "<unsupported>");
}

void cr_print_general_name(BIO* bio, const GENERAL_NAME* name) {
    char oid[256];
    switch (name->type) {
    case GEN_EMAIL:
        BIO_puts(bio, "email:");
        print_string(bio, name->d.rfc822Name, false, "");
        break;
    case GEN_DNS:
        BIO_puts(bio, "DNS:");
        print_string(bio, name->d.dNSName, false, "");
        break;
    case GEN_URI:
        BIO_puts(bio, "URI:");
        print_string(bio, name->d.uniformResourceIdentifier, false, "");
        break;
    case GEN_DIRNAME:
        print_directory(bio, name->d.directoryName);
        break;
    case GEN_IPADD:
        print_address(bio, name->d.iPAddress);
        break;
    case GEN_RID:
        OBJ_obj2txt(oid, sizeof(oid), name->d.registeredID, 1);
        BIO_printf(bio, "Registered ID:%s", oid);
        break;
    case GEN_OTHERNAME:
        print_other(bio, name->d.otherName);
        break;
    case GEN_X400:
        BIO_puts(bio, "X400Name:<unsupported>");
        break;
    default:
        BIO_puts(bio, "EdiPartyName:<unsupported>");
        break;
    }
}

void cr_print_name(BIO* bio, const X509_NAME* name) {
    X509_NAME_print_ex(bio, name, 0,
                       ASN1_STRFLGS_ESC_2253 | ASN1_STRFLGS_ESC_CTRL | ASN1_STRFLGS_UTF8_CONVERT |
                           XN_FLAG_SEP_MULTILINE | XN_FLAG_FN_SN);
}

JSValue cr_name_entries(JSContext* ctx, const X509_NAME* name) {
    JSValue list = JS_NewArray(ctx);
    int count = X509_NAME_entry_count(name);
    uint32_t added = 0;
    for (int i = 0; i < count; i++) {
        X509_NAME_ENTRY* entry = X509_NAME_get_entry(name, i);
        ASN1_OBJECT* object = X509_NAME_ENTRY_get_object(entry);
        char text[80];
        int nid = OBJ_obj2nid(object);
        if (nid == NID_undef)
            OBJ_obj2txt(text, sizeof(text), object, 1);
        else
            snprintf(text, sizeof(text), "%s", OBJ_nid2sn(nid));
        unsigned char* value = NULL;
        int length = ASN1_STRING_to_UTF8(&value, X509_NAME_ENTRY_get_data(entry));
        if (length < 0)
            continue;
        JSValue pair = JS_NewArray(ctx);
        JS_SetPropertyUint32(ctx, pair, 0, JS_NewString(ctx, text));
        JS_SetPropertyUint32(ctx, pair, 1,
                             JS_NewStringLen(ctx, (const char*)value, (size_t)length));
        OPENSSL_free(value);
        JS_SetPropertyUint32(ctx, list, added++, pair);
    }
    return list;
}
