/// The rules for names of services: 1 to 63 bytes of UTF-8 without control characters (RFC 6763, section 4.1.1).
///
/// Names arrive from the network too, where anybody can send anything: what breaks the rules is refused there as well.
package enum ServiceName {
    /// The most bytes of a name: those of a label of DNS.
    package static let maximumBytes = 63

    /// - Throws: `DiscoveryError` with the rule that the name breaks.
    package static func check(_ name: String) throws(DiscoveryError) {
        if let rule = brokenRule(name) {
            throw DiscoveryError(
                .invalidName, "'\(escaped(name))' cannot be the name of a service: it \(rule)",
                hint: "names have 1 to 63 bytes of UTF-8 without control characters")
        }
    }

    private static func brokenRule(_ name: String) -> String? {
        if name.isEmpty { return "is empty" }
        if name.utf8.count > maximumBytes { return "has \(name.utf8.count) bytes" }
        return name.unicodeScalars.contains(where: isControl) ? "has control characters" : nil
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        // Separators of lines break a list of names as line feeds do; U+202A and the other directional controls turn the text beside
        // the name around.
        case .control, .lineSeparator, .paragraphSeparator: true
        default: (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        }
    }

    /// A name as it may be shown: at most `limit` characters, control characters as `\u{1B}`.
    package static func escaped(_ name: String, limit: Int = 80) -> String {
        var text = ""
        for character in name.prefix(limit) {
            for scalar in character.unicodeScalars.prefix(8) {
                text += isControl(scalar) ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : String(scalar)
            }
        }
        return name.dropFirst(limit).isEmpty ? text : text + "…"
    }

    /// The name to try when a name is taken: `Printer` becomes `Printer #2`, and that `Printer #3`; a long name is cut
    /// at a character so that the number fits.
    package static func alternative(to name: String) -> String {
        var (base, number) = (Substring(name), 2)
        if let mark = name.lastIndex(of: "#"), name[..<mark].hasSuffix(" "),
            name[mark...].dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let last = Int(name[mark...].dropFirst()), (1..<1_000_000).contains(last)
        {
            (base, number) = (name[..<mark].dropLast(), last + 1)
        }
        let suffix = " #\(number)"
        while base.utf8.count + suffix.utf8.count > maximumBytes { base.removeLast() }
        return base + suffix
    }
}
