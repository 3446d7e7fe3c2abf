import CoreDataModeling
import Testing

@Suite struct RelationshipPairTests {
    private let one = NSRelationshipDescription()
    private let other = NSRelationshipDescription()
    private let third = NSRelationshipDescription()

    @Test("setting one inverse sets the pair (MOD-27)")
    func oneInverseSetsThePair() {
        one.inverseRelationship = other
        #expect(other.inverseRelationship === one)
        other.inverseRelationship = one
        #expect(one.inverseRelationship === other)
    }

    @Test("a relationship that gets another inverse leaves the former one without (MOD-27)")
    func anotherInverseLeavesTheFormer() {
        one.inverseRelationship = other
        one.inverseRelationship = third
        #expect(other.inverseRelationship == nil && third.inverseRelationship === one)
        other.inverseRelationship = third
        #expect(one.inverseRelationship == nil && third.inverseRelationship === other)
        third.inverseRelationship = nil
        #expect(other.inverseRelationship == nil)
    }

    @Test("a relationship may be its own inverse (MOD-27)")
    func ownInverse() {
        one.inverseRelationship = one
        #expect(one.inverseRelationship === one)
        one.inverseRelationship = nil
        #expect(one.inverseRelationship == nil)
    }

    @Test func copyLeavesThePairAlone() throws {
        one.inverseRelationship = other
        let copy = try #require(one.copy() as? NSRelationshipDescription)
        #expect(copy.inverseRelationship === other && other.inverseRelationship === one)
    }
}
