/// A table of bytes by bytes beside a store's rows, for state that must change in the transaction that changes the rows;
/// implemented by stores that can commit both together.
///
/// It belongs to no entity: fetches, history and copies of objects leave it out. Keys are compared byte by byte. Has the
/// store's confinement.
package protocol SideTableKeeping: AnyObject {
    /// The value of a key; nil if there is none.
    func sideValue(for key: [UInt8]) throws -> [UInt8]?
    /// The entries whose keys begin with a prefix, by key.
    func sideEntries(withPrefix prefix: [UInt8]) throws -> [SideEntry]
    /// The first of the entries whose keys begin with a prefix and come after another key, by key: at most so many.
    func sideEntries(withPrefix prefix: [UInt8], after key: [UInt8]?, atMost count: Int) throws -> [SideEntry]
    /// Writes entries; a value of nil removes the entry. Within a block of `savingTogether` they are committed with the
    /// block's saves; a store without `SaveGrouping` writes them at once and cannot fail.
    func writeSideEntries(_ entries: [SideEntry]) throws
    /// Makes other connections wait with their saves until the transaction of `savingTogether` ends.
    func excludeOtherSaves() throws
    /// Bytes that differ between the store and a copy of it, as far as the store itself can know: its place, say.
    func placeMark() throws -> [UInt8]
}

/// An entry of a side table; as a change, a value of nil removes the entry.
package struct SideEntry: Hashable, Sendable {
    package let key: [UInt8]
    package let value: [UInt8]?

    package init(key: [UInt8], value: [UInt8]?) {
        self.key = key
        self.value = value
    }

    /// The first key after all that begin with a prefix; nil if there is none.
    package static func end(ofPrefix prefix: [UInt8]) -> [UInt8]? {
        var end = prefix
        while let last = end.popLast() {
            if last < .max { return end + [last + 1] }
        }
        return nil
    }
}

/// Numbers in keys and values of side tables: so many bytes, the greatest first, so that keys are in the order of their numbers.
package enum SideNumber {
    package static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64(count - 1 - $0))) }
    }

    package static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
