import CoreDataBrowser

extension BrowserRequest {
    private static let scheme = "http://"

    /// Replaces a target in absolute form, as proxies receive it, by its path and query; its host replaces the field
    /// `Host`.
    ///
    /// Source: RFC 9112, section 3.2.2.
    mutating func takeAbsoluteTarget() {
        guard target.prefix(Self.scheme.count).lowercased() == Self.scheme else { return }
        let rest = target.dropFirst(Self.scheme.count)
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        headers.set("Host", String(rest[..<end]))
        target = (rest[end...].first == "/" ? "" : "/") + rest[end...]
    }
}
