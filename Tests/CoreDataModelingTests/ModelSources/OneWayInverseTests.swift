import CoreDataModeling
import Testing

/// Inverses that do not name each other: Apple's compiler lets them pass, and there are stores made with them.
@Suite struct OneWayInverseTests {
    private static let body = """
        <entity name="A"><relationship name="t" optional="YES" maxCount="1" destinationEntity="I" inverseName="t"/></entity>
        <entity name="I"><relationship name="a" optional="YES" maxCount="1" destinationEntity="A" inverseName="t"/>
            <relationship name="t" optional="YES" maxCount="1" destinationEntity="A"/></entity>
        """

    private func inverses(_ model: NSManagedObjectModel) -> [String: String?] {
        func relationship(_ entity: String, _ name: String) -> NSRelationshipDescription? {
            model.entitiesByName[entity]?.relationshipsByName[name]
        }
        let all = [("A", "t"), ("I", "a"), ("I", "t")]
        return Dictionary(
            uniqueKeysWithValues: all.map { entity, name in
                let inverse = relationship(entity, name)?.inverseRelationship
                return ("\(entity).\(name)", inverse.map { "\($0.entity.name ?? "").\($0.name)" })
            })
    }

    @Test("inverses that do not name each other are read as the file has them, with warnings (MOD-09)")
    func inversesAreKeptAsTheyAreWritten() throws {
        let expected: [String: String?] = ["A.t": "I.t", "I.a": "A.t", "I.t": nil]
        let source = try SourceText.read(Self.body)
        #expect(inverses(source) == expected)
        let kept = try NSManagedObjectModel(cachedModel: source.cachedModel())
        #expect(inverses(kept) == expected)
        #expect(kept.entityVersionHashesByName == source.entityVersionHashesByName)
        #expect(try inverses(#require(source.copy() as? NSManagedObjectModel)) == expected)

        let found = ModelCheck.findings(source: SourceText.model(Self.body)).filter {
            $0.rule.identifier == "inverse-not-mutual"
        }
        #expect(found.map(\.subject) == ["A.t", "I.a"])
        #expect(found.allSatisfy { $0.rule.severity == .warning })
        #expect(found.last?.message == "names 'A.t' its inverse, which names 'I.t'")
    }
}
