import CoreData
import StoreContract
import Testing

@Suite struct IdentifierHashTests {
    @Test("Equal identifiers of two coordinators have equal hashes; those of one key in two entities differ")
    func equalIdentifiersOfTwoCoordinatorsHaveEqualHashes() throws {
        let stack = try HeroModel.stack(.sqlite)
        let (hero, note) = (stack.context.insert("Hero"), stack.context.insert("Note"))
        try stack.context.save()
        let other = try stack.another()
        let same = try #require(try other.context.all("Hero").first)
        #expect(same.objectID == hero.objectID && same.objectID.hash == hero.objectID.hash)
        let keys = [hero, note].map { $0.objectID.uriRepresentation().lastPathComponent }
        #expect(keys == ["p1", "p1"] && hero.objectID.hash != note.objectID.hash)
    }
}
