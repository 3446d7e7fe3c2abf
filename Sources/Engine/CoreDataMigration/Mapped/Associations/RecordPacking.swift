import CoreDataGraph

/// Packs record numbers into eight bytes: 16 bits for the entity and 48 bits for the key. Larger numbers are stored in
/// a list, and packed as their index.
struct RecordPacking {
    private static let listed = UInt64(0xFFFF)

    private var large: [RecordNumber] = []
    private var places: [RecordNumber: Int] = [:]

    mutating func pack(_ number: RecordNumber) -> UInt64 {
        if let packed = known(number) { return packed }
        places[number] = large.count
        large.append(number)
        return Self.listed << 48 | UInt64(large.count - 1)
    }

    /// The packed form of a number; nil for a large number that was never packed.
    func known(_ number: RecordNumber) -> UInt64? {
        if number.entity < Int(Self.listed), number.key >= 0, number.key < 1 << 48 {
            return UInt64(number.entity) << 48 | UInt64(number.key)
        }
        return places[number].map { Self.listed << 48 | UInt64($0) }
    }

    func number(_ packed: UInt64) -> RecordNumber {
        let low = packed & 0xFFFF_FFFF_FFFF
        guard packed >> 48 == Self.listed else {
            return RecordNumber(entity: Int(packed >> 48), key: Int64(low))
        }
        return large[Int(low)]
    }
}
