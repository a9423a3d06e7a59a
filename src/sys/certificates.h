#pragma once

#include <string>
#include <vector>

namespace pedro {

/// The files in which Linux distributions keep the certificates of authorities.
inline const std::vector<std::string> kCertificateFiles = {
    "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Arch
    "/etc/pki/tls/certs/ca-bundle.crt",    // Fedora, RHEL
    "/etc/ssl/ca-bundle.pem",              // openSUSE
    "/etc/ssl/cert.pem",                   // Alpine
};

/// Returns the file of certificates that https trusts: `chosen` (SSL_CERT_FILE) if it is not empty,
/// else the first of `usual` that is a file. "" if there is none.
std::string certificate_file(const std::string& chosen,
                             const std::vector<std::string>& usual = kCertificateFiles);

}  // namespace pedro
