import Foundation

/// The identity of a peer: one store on one device, with a counter of transactions of its own.
///
/// A copied or restored store takes a new identity before it writes. The number is random and comes from outside the engine.
package struct PeerID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let rawValue: UInt64

    package init(_ rawValue: UInt64) { self.rawValue = rawValue }

    /// Reads the 16 hexadecimal digits of `description`; nil if the text is anything else.
    package init?(_ text: String) {
        guard text.utf8.count == 16, let value = UInt64(text, radix: 16) else { return nil }
        rawValue = value
    }

    /// Another identity that follows from this one, under which a store goes on that has its baseline; itself random.
    var successor: PeerID {
        var mixed = rawValue &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return PeerID(mixed ^ (mixed >> 31))
    }

    package static func < (left: PeerID, right: PeerID) -> Bool { left.rawValue < right.rawValue }

    /// 16 hexadecimal digits, whose order is that of the identities.
    package var description: String { hexadecimal(rawValue, digits: 16) }
}

/// A number in lower-case hexadecimal digits, padded with zeros.
func hexadecimal(_ value: UInt64, digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}
