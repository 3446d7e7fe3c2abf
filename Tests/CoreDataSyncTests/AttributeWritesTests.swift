import TestBasics
import Testing

@testable import CoreDataSync

@Suite("The writes of a record's attributes")
struct AttributeWritesTests {
    @Test("replacing keeps what a list for each attribute keeps, in its order (SYNC-01)")
    func replacingKeepsOrder() {
        var random = SeededRandom(seed: TestSeed.first)
        let attributes = ["a", "b", "c", "d", "e"].map { SchemaID(entity: "E", property: $0) }
        for _ in 0..<100 {
            var writes = AttributeWrites()
            var expected: [SchemaID: [Write]] = [:]
            for sequence in 1...40 {
                let attribute = attributes[Int.random(in: 0..<5, using: &random)]
                let known = TransactionID(PeerID(1), UInt64.random(in: 0...40, using: &random))
                let isKept = { (write: Write) in write.transaction > known }
                let write = Write(
                    TransactionID(PeerID(1), UInt64(sequence)), time: .zero, value: .int(Int64(sequence)))
                let added = Bool.random(using: &random) ? write : nil
                writes.replace(attribute, keeping: isKept, with: added)
                expected[attribute] = (expected[attribute] ?? []).filter(isKept) + (added.map { [$0] } ?? [])
                for attribute in attributes {
                    #expect(writes[attribute].map(\.write) == expected[attribute] ?? [])
                }
                #expect(writes.attributeCount == expected.values.filter { !$0.isEmpty }.count)
            }
        }
    }

    @Test("a record that was copied keeps its values when the copy changes")
    func copyIsIndependent() {
        var record = ObjectRecord(entity: SchemaID(entity: "E"), created: .zero)
        record.derived.isVisible = true
        let copy = record
        record.derived.isVisible = false
        record.united.insert(ObjectIdentity(TransactionID(PeerID(1), 1), 0))
        #expect(copy.derived.isVisible && copy.united.isEmpty)
        #expect(!record.derived.isVisible && record.united.count == 1 && record != copy)
    }
}
