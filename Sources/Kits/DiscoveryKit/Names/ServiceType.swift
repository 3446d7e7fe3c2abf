/// The type of a service: its protocol's name and transport, as `_oz-tictactoe._tcp`, and its subtypes.
package struct ServiceType: Sendable, Hashable, CustomStringConvertible {
    package enum Transport: String, Sendable, Hashable {
        case tcp = "_tcp"
        case udp = "_udp"
    }

    /// The most characters of a protocol's name.
    package static let maximumLength = 15

    /// The protocol's name without the underscore.
    package let name: String
    package let transport: Transport
    /// The subtypes without what they have in common: `_printer` of `_printer._sub._http._tcp`.
    package let subtypes: [String]

    /// The type as DNS-SD writes it, without subtypes.
    package var description: String { "_\(name).\(transport.rawValue)" }

    /// The names to browse for: of the subtype if there is one.
    package var browsed: String { subtypes.first.map { "\($0)._sub.\(self)" } ?? description }

    /// Makes the type of a protocol's name.
    ///
    /// - Throws: `DiscoveryError` with the rule that the name breaks.
    package init(name: String, transport: Transport = .tcp) throws(DiscoveryError) {
        try Self.check(name)
        (self.name, self.transport, subtypes) = (name, transport, [])
    }

    /// Reads a type as programs write it: `_http._tcp`, with a dot behind it or not, and with subtypes behind commas
    /// (`_http._tcp,_printer`) or before it (`_printer._sub._http._tcp`).
    ///
    /// - Throws: `DiscoveryError` with what is wrong with it.
    package init(parsing text: String) throws(DiscoveryError) {
        guard text.utf8.count <= 1_000 else { throw Self.error(String(text.prefix(40)), "is too long") }
        var parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        var main = parts.removeFirst()
        if main.hasSuffix(".") { main.removeLast() }
        var labels = main.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if labels.count == 4, labels[1].lowercased() == "_sub" {
            parts.insert(labels[0], at: 0)
            labels.removeFirst(2)
        }
        guard labels.count == 2, labels[0].hasPrefix("_"), let transport = Transport(rawValue: labels[1].lowercased())
        else {
            throw Self.error(text, "is not of the form _name._tcp or _name._udp")
        }
        name = String(labels[0].dropFirst())
        self.transport = transport
        subtypes = parts
        try Self.check(name)
        for subtype in subtypes
        where subtype.isEmpty || subtype.utf8.count > 63 || !subtype.utf8.allSatisfy(Self.isPrintable) {
            throw Self.error(text, "has a subtype that is not 1 to 63 characters of ASCII")
        }
    }

    private static func isPrintable(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) && byte != 0x2E }

    /// The rules of RFC 6335, section 5.1, with lower case alone, as programs of Apple's systems must write it.
    private static func check(_ name: String) throws(DiscoveryError) {
        guard (1...maximumLength).contains(name.utf8.count) else {
            throw error(name, "has \(name.utf8.count) characters")
        }
        let bytes = Array(name.utf8)
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let hyphen = UInt8(ascii: "-")
        guard bytes.allSatisfy({ letters.contains($0) || digits.contains($0) || $0 == hyphen }) else {
            throw error(name, "has other characters than a to z, 0 to 9 and hyphens")
        }
        guard bytes.contains(where: letters.contains) else { throw error(name, "has no letter") }
        guard bytes.first != hyphen, bytes.last != hyphen else { throw error(name, "begins or ends with a hyphen") }
        guard !zip(bytes, bytes.dropFirst()).contains(where: { $0 == hyphen && $1 == hyphen }) else {
            throw error(name, "has two hyphens in a row")
        }
    }

    private static func error(_ name: String, _ rule: String) -> DiscoveryError {
        DiscoveryError(
            .invalidType, "'\(ServiceName.escaped(name))' cannot be the type of a service: it \(rule)",
            hint:
                "types have 1 to 15 characters of a to z, 0 to 9 and hyphens, as oz-tictactoe, and at least one letter")
    }
}
