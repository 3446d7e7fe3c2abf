import Dispatch
import Testing

@testable import CoreDataModeling

@Suite(.timeLimit(.minutes(20))) struct ZeroingReferenceTests {
    @Test("What leads back to an entity or a relationship is nil once that is gone")
    func handlesEnd() {
        let property = NSAttributeDescription()
        let (relationship, child) = (NSRelationshipDescription(), NSEntityDescription())
        let index = NSFetchIndexDescription(name: "index", elements: [])
        do {
            let (entity, inverse) = (NSEntityDescription(), NSRelationshipDescription())
            entity.setOwnProperties([property])
            entity.subentities = [child]
            entity.indexes = [index]
            relationship.destinationEntity = entity
            relationship.inverseRelationship = inverse
            #expect(property.entity === entity && child.superentity === entity && index.entity === entity)
            #expect(relationship.destinationEntity === entity && inverse.inverseRelationship === relationship)
            withExtendedLifetime((entity, inverse)) {}
        }
        #expect(property.entity == nil && child.superentity == nil && index.entity == nil)
        #expect(relationship.destinationEntity == nil && relationship.inverseRelationship == nil)
    }

    private final class Owner {
        let zeroingReference: ZeroingReference<Owner>
        let number: Int

        init(_ number: Int, _ zeroingReference: ZeroingReference<Owner>) {
            (self.number, self.zeroingReference) = (number, zeroingReference)
            zeroingReference.point(to: self)
        }

        deinit { zeroingReference.empty() }
    }

    @Test("An object that goes on one thread is there whole, or not at all, for others")
    func handlesRace() {
        for round in 0..<200 {
            let zeroingReference = ZeroingReference<Owner>()
            let owner = Holder(Owner(round, zeroingReference))
            let seen = Holder(true)
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                if thread == 0 {
                    owner.value = nil
                } else {
                    for _ in 0..<50 {
                        if let found = zeroingReference.object, found.number != round { seen.value = false }
                    }
                }
            }
            #expect(seen.value == true && zeroingReference.object == nil)
        }
    }

    private final class Holder<Value>: @unchecked Sendable {
        var value: Value?

        init(_ value: Value) { self.value = value }
    }
}
