import CCurl
import CoreDataGraph

/// The errors of connections, none of which has sent anything.
enum SMTPFailure {
    static func lost(_ server: SMTPServer, _ why: String) -> MailError {
        MailError(
            .connectionLost, "the connection to \(server.name) ended: \(why)", hint: "nothing was sent; try again later"
        )
    }

    static func silent(_ server: SMTPServer) -> MailError {
        MailError(
            .connectionLost, "\(server.name) said nothing for too long", hint: "nothing was sent; try again later")
    }

    /// What libcurl's code means while a connection is made.
    static func connecting(_ code: CURLcode, _ server: SMTPServer, _ greeting: SMTPGreeting) -> MailError {
        let said = greeting.refusal.map { ": \($0)" } ?? ""
        switch code {
        case CURLE_USE_SSL_FAILED:
            let what = greeting.offersEncryption ? "could not begin encryption" : "offers no encryption"
            return MailError(
                .insecureConnection, "\(server.name) \(what)\(said)",
                hint: "ask for another port or server; only for one on this machine set security to .none")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM:
            return MailError(
                .insecureConnection,
                "\(server.name) has no valid, trusted certificate, or speaks no TLS: \(text(code))",
                hint: "see that host and port are right; for an authority of your own set certificateAuthorities")
        case CURLE_LOGIN_DENIED:
            return MailError(
                .loginFailed, "\(server.name) refused the login\(said)", hint: "see that name and password are right")
        case CURLE_COULDNT_RESOLVE_HOST:
            return MailError(
                .unreachable, "no address was found for \(server.host)",
                hint: "see that its name is right, and try again later")
        case CURLE_OPERATION_TIMEDOUT:
            return MailError(
                .unreachable, "\(server.name) did not answer in time", hint: "nothing was sent; try again later")
        case CURLE_UNSUPPORTED_PROTOCOL:
            return MailError(
                .notConfigured, "this libcurl was built without SMTP", hint: "install a libcurl that has it")
        default:
            let isRefusal = greeting.refusal?.hasPrefix("5") == true
            return MailError(
                isRefusal ? .refused : .unreachable,
                "no connection was made to \(server.name)\(said.isEmpty ? ": \(text(code))" : said)",
                hint: isRefusal ? "see what the server says" : "nothing was sent; try again later")
        }
    }

    private static func text(_ code: CURLcode) -> String { String(cString: curl_easy_strerror(code)) }
}
