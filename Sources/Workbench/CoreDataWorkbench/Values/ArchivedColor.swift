import CoreData

/// Reads a colour of AppKit or UIKit from the archive that a transformable attribute stores, without instantiating any
/// class.
package struct ArchivedColor: Equatable, Sendable {
    private static let greatestArchive = 16_384

    /// Red, green, blue and alpha, from 0 to 1.
    package let components: [Double]

    /// Nil for bytes that are not an archive of a colour in components of red, green and blue, or of white.
    package init?(_ data: Data) {
        guard data.count <= Self.greatestArchive, data.starts(with: Data("bplist".utf8)),
            let archive = try? KeyedArchive(data), let object = archive.object(archive.root),
            object.className.hasSuffix("Color"),
            let found = Self.ofUIKit(object.fields) ?? Self.ofAppKit(object.fields),
            found.allSatisfy({ $0.isFinite })
        else { return nil }
        components = found.map { min(max($0, 0), 1) }
    }

    package var json: JSONValue { .array(components.map { .real(($0 * 10_000).rounded() / 10_000) }) }

    private static func ofUIKit(_ fields: [String: PropertyList]) -> [Double]? {
        let alpha = number(fields["UIAlpha"]) ?? 1
        if let white = number(fields["UIWhite"]) { return [white, white, white, alpha] }
        let parts = ["UIRed", "UIGreen", "UIBlue"].compactMap { number(fields[$0]) }
        return parts.count == 3 ? parts + [alpha] : nil
    }

    /// Reads components that are stored as text of numbers with a zero byte at the end.
    private static func ofAppKit(_ fields: [String: PropertyList]) -> [Double]? {
        if let parts = numbers(fields["NSRGB"]), parts.count == 3 || parts.count == 4 {
            return parts.count == 4 ? parts : parts + [1]
        }
        guard let parts = numbers(fields["NSWhite"]), let white = parts.first, parts.count <= 2 else { return nil }
        return [white, white, white, parts.count == 2 ? parts[1] : 1]
    }

    private static func number(_ value: PropertyList?) -> Double? {
        switch value {
        case .real(let number)?: number
        case .integer(let number)?: Double(number)
        default: nil
        }
    }

    private static func numbers(_ value: PropertyList?) -> [Double]? {
        guard case .data(let data)? = value else { return nil }
        let parts = data.prefix { $0 != 0 }.split(separator: UInt8(ascii: " "))
        let numbers = parts.compactMap { Double(String(decoding: $0, as: UTF8.self)) }
        return numbers.count == parts.count ? numbers : nil
    }
}
