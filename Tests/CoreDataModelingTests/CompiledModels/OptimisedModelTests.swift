import CoreDataModeling
import TestBasics
import Testing

/// The optimised models (`.omo`) that stand beside compiled ones and hold the hash of every entity and property.
@Suite(.enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct OptimisedModelTests {
    /// All blobs of 32 bytes in a file: a length of four bytes, four zeros, the bytes.
    private func hashes(in file: Data) -> [Data] {
        let bytes = [UInt8](file)
        let head: [UInt8] = [0, 0, 0, 32, 0, 0, 0, 0]
        return stride(from: 0, to: bytes.count - 40, by: 4).compactMap { start in
            guard bytes[start..<start + 8].elementsEqual(head) else { return nil }
            let blob = bytes[start + 8..<start + 40]
            // Parts of tables and short texts have zeros; that a hash has four in a row does not happen.
            let words = stride(from: blob.startIndex, to: blob.endIndex, by: 4).map { blob[$0..<$0 + 4] }
            let isHash = !words.contains { $0.allSatisfy { $0 == 0 } } && !(blob.count { $0 == 0 } > 8)
            return isHash ? Data(blob) : nil
        }
    }

    @Test(
        "the hashes in an optimised model are those of its entities and properties, and no others (MOD-36)",
        arguments: FixtureSupport.paths(endingIn: ".omo"))
    func hashesAgree(path: String) throws {
        let compiled = path.replacingOccurrences(of: ".omo", with: ".mom")
        let model = try NSManagedObjectModel(reading: Fixtures.url(compiled))
        let found = hashes(in: try Data(contentsOf: Fixtures.url(path)))
        var known = Set(model.entityVersionHashesByName.values)
        for entity in model.entities {
            for property in entity.ownProperties {
                #expect(found.contains(property.versionHash), "\(entity.name ?? "?").\(property.name)")
                known.insert(property.versionHash)
            }
            #expect(found.contains(entity.versionHash), "\(entity.name ?? "?")")
        }
        #expect(found.filter { !known.contains($0) }.isEmpty)
        #expect(found.count >= known.count)
    }

    @Test("there are optimised models to compare with (MOD-36)")
    func thereAreOptimisedModels() {
        #expect(FixtureSupport.paths(endingIn: ".omo").count >= 5)
    }
}
