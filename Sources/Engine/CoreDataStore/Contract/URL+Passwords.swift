import CoreDataModeling

extension URL {
    /// The URL without passwords, before the host or among the parameters, as it is shown and kept; the rest of its text as it is.
    package var withoutPasswords: URL {
        var text = absoluteString
        // First of all, since a '?' may stand in a password: it ends at an '@' before a slash.
        if let start = text.range(of: "://")?.upperBound {
            let end = text[start...].firstIndex(of: "/") ?? text.endIndex
            if let at = text[start..<end].lastIndex(of: "@"), let colon = text[start..<at].firstIndex(of: ":") {
                text.removeSubrange(colon..<at)
            }
        }
        if let mark = text.firstIndex(of: "?") {
            let kept = text[text.index(after: mark)...].split(separator: "&").filter { item in
                !(item.prefix { $0 != "=" }.removingPercentEncoding ?? "").lowercased().contains("password")
            }
            text = text[..<mark] + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
        }
        return URL(string: text) ?? self
    }

    /// What the metadata of messages calls a store: the path of its file, or its URL without passwords.
    package var storeNameInMessages: String { isFileURL ? path : withoutPasswords.absoluteString }
}
