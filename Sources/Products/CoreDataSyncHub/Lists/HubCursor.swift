/// A state of a group: the run of the hub in which it was, and how many changes had been made.
package struct HubCursor: Hashable, Sendable, CustomStringConvertible {
    /// 16 digits that the hub takes by chance when it starts.
    package let run: String
    package let version: UInt64

    package init(run: String, version: UInt64) { (self.run, self.version) = (run, version) }

    /// Reads `RUN.VERSION`; nil for anything else.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 16,
            parts[0].utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }),
            let version = UInt64(parts[1]), String(version) == parts[1]
        else { return nil }
        self.init(run: String(parts[0]), version: version)
    }

    package var description: String { "\(run).\(version)" }
}
