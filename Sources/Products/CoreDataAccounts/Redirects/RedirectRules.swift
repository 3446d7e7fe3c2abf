import Foundation

/// Which request is the expected redirect, and what is answered to it and to others.
struct RedirectRules: Sendable {
    let path: String
    /// The value of `Host` that a browser sends: another one is of a page that has bound its own name to this address.
    let host: String
    let isExpected: @Sendable (String) -> Bool

    /// What is sent back, and the query if the request is the expected one.
    struct Answer {
        let response: Data
        let query: String?
    }

    /// The answer to the head of a request: its first line and its fields.
    func answer(_ head: String) -> Answer {
        let lines = head.components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else { return Self.refusal(400) }
        guard words[0] == "GET" else { return Self.refusal(405) }
        let hosts = lines.dropFirst().compactMap { line -> String? in
            guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == "host" else { return nil }
            return line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        guard hosts == [host] else { return Self.refusal(400) }
        let parts = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts[0] == path else { return Self.refusal(404) }
        guard parts.count == 2, isExpected(String(parts[1])) else { return Self.refusal(400) }
        return Answer(
            response: Self.page(200, "The answer was received. You may close this page."), query: String(parts[1]))
    }

    /// The answer to what is too large, or not the expected request.
    static func refusal(_ status: Int) -> Answer {
        Answer(response: page(status, "This request is not of an authorization under way."), query: nil)
    }

    private static func page(_ status: Int, _ text: String) -> Data {
        let body =
            "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><title>Authorization</title><p>\(text)</p></html>\n"
        let head = [
            "HTTP/1.1 \(status) \(status == 200 ? "OK" : "Refused")", "Content-Type: text/html; charset=utf-8",
            "Content-Length: \(body.utf8.count)", "Cache-Control: no-store", "Referrer-Policy: no-referrer",
            "Content-Security-Policy: default-src 'none'", "X-Content-Type-Options: nosniff", "Connection: close",
        ]
        return Data((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
    }
}
