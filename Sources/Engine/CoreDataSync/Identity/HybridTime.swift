import Foundation

/// A time of a hybrid logical clock: milliseconds since 1970 in the upper 48 bits, a counter in the lower 16.
///
/// The number, its eight bytes and its text have the same order.
package struct HybridTime: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let rawValue: UInt64

    package static let zero = HybridTime(rawValue: 0)
    /// The last millisecond that the format holds, in the year 10889.
    package static let greatestMilliseconds: UInt64 = (1 << 48) - 1

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package init(milliseconds: UInt64, counter: UInt16 = 0) {
        rawValue = min(milliseconds, Self.greatestMilliseconds) << 16 | UInt64(counter)
    }

    package var milliseconds: UInt64 { rawValue >> 16 }
    package var counter: UInt16 { UInt16(truncatingIfNeeded: rawValue) }

    package static func < (left: HybridTime, right: HybridTime) -> Bool { left.rawValue < right.rawValue }

    /// The next time, in the next millisecond if the counter is full; the last time of all has no next and stays.
    package var next: HybridTime { HybridTime(rawValue: rawValue == .max ? rawValue : rawValue + 1) }

    package var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }

    /// Twelve hexadecimal digits, a hyphen and four more.
    package var description: String {
        hexadecimal(milliseconds, digits: 12) + "-" + hexadecimal(UInt64(counter), digits: 4)
    }

    /// Reads what `description` gives; nil if the text is anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 12, parts[1].utf8.count == 4,
            let milliseconds = UInt64(parts[0], radix: 16), let counter = UInt16(parts[1], radix: 16)
        else { return nil }
        self.init(milliseconds: milliseconds, counter: counter)
    }
}
