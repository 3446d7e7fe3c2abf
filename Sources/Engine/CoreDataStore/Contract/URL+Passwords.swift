import CoreDataModeling

extension URL {
    /// The URL without passwords, both before the host and in query items, for display and storage; the rest of its
    /// text is unchanged.
    package var withoutPasswords: URL {
        var text = absoluteString
        // The password before the host is removed first, since it may contain a '?'. It ends at the last '@' before the
        // first slash.
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

    /// The name of the store in the metadata of log messages: the path of its file, or its URL without passwords.
    package var storeNameInMessages: String { isFileURL ? path : withoutPasswords.absoluteString }
}
