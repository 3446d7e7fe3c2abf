/// What a server said that it can do, and whether it let us in, read from the header lines that libcurl passes on.
struct SMTPGreeting {
    /// The largest message that the server takes, in bytes; 0 if it sets no bound or does not say; nil without the extension.
    private(set) var largestSize: Int64?
    private(set) var offersEncryption = false
    private(set) var offersLogin = false
    /// Whether a login was accepted.
    private(set) var isLoggedIn = false
    /// The last refusal, in one line.
    private(set) var refusal: String?

    /// Takes a line of a reply. What was offered before TLS began does not count: anyone could have written it.
    mutating func take(_ line: String) {
        let code = line.prefix(3)
        if code == "220" { (largestSize, offersLogin) = (nil, false) }
        if code == "235" { isLoggedIn = true }
        if code.first == "4" || code.first == "5" { refusal = FieldText.shown(line) }
        guard code == "250" else { return }
        let words = line.dropFirst(4).split(whereSeparator: \.isWhitespace).map { $0.uppercased() }
        switch words.first {
        case "SIZE": largestSize = words.dropFirst().first.flatMap { Int64($0) } ?? 0
        case "STARTTLS": offersEncryption = true
        case "AUTH": offersLogin = true
        default: break
        }
    }
}
