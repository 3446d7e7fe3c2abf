import CoreData
import TestBasics
import Testing

@Suite(.enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct ModelCommandTests {
    private let source = Fixtures.url("stores/coredataplus/Tests/Resources/SampleModel/SampleModel.xcdatamodeld")
    private let compiled = Fixtures.url("stores/coredataplus/Tests/Resources/SampleModel/Fixtures/SampleModel.momd")

    @Test func hashesAreThoseThatAppleWroteBesideTheModel() throws {
        let outcome = try Tool.run("model", "hash", compiled.path, "--format", "json")
        #expect(outcome.code == 0)
        let hashes: [String: Any] = try outcome.json()
        let entities = try #require(hashes["entities"] as? [String: String])
        let information = try VersionInformation(momd: compiled)
        let expected = try #require(information.hashesByVersion[information.currentVersion])
        #expect(entities == expected.mapValues { $0.base64EncodedString() })
        #expect((hashes["checksum"] as? String)?.count == 44)
    }

    @Test func showNamesEntitiesPropertiesAndConstraints() throws {
        let outcome = try Tool.run("model", "show", source.path)
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("\nExpensiveSportCar : SportCar  class ExpensiveSportCar\n"))
        #expect(outcome.output.contains("owner  -> Person  inverse cars, delete: Nullify, optional"))
        #expect(outcome.output.contains("unique: firstName, lastName"))
    }

    @Test func showAsJSONHasEveryEntity() throws {
        let outcome = try Tool.run("model", "show", source.path, "--format", "json")
        let model: [String: Any] = try outcome.json()
        let entities = try #require(model["entities"] as? [[String: Any]])
        #expect(entities.compactMap { $0["name"] as? String } == ["Car", "SportCar", "ExpensiveSportCar", "Person"])
        let person = try #require(entities.last)
        #expect(person["uniquenessConstraints"] as? [[String]] == [["firstName", "lastName"]])
    }

    @Test func everyModelAmongTheFixturesIsShown() throws {
        let models = Fixtures.url("models")
        let names = FileManager.default.enumerator(atPath: models.path)?.compactMap { $0 as? String } ?? []
        let packages = names.filter { $0.hasSuffix(".xcdatamodeld") || $0.hasSuffix(".momd") }
        #expect(packages.count > 50)
        var refused: [String] = []
        for package in packages.sorted().enumerated().filter({ $0.offset % 4 == 0 }).map(\.element) {
            let outcome = try Tool.run("model", "show", models.appendingPathComponent(package).path, "--format", "json")
            #expect(!outcome.wasKilled, "\(package)")
            if outcome.code == 0 {
                _ = try outcome.json(as: [String: Any].self)
            } else {
                refused.append(package)
                expectRefusal(outcome, containing: "/")
            }
        }
        // Packages whose current version is missing.
        #expect(refused.count <= 3, "\(refused)")
    }

    @Test("a model in the form before Xcode 4 is shown (MOD-03)")
    func modelInTheOldFormIsShown() throws {
        let old = Fixtures.url("stores/magicalrecord-recipes/Samples/iOS/Application/Models/Recipes.xcdatamodeld")
        let outcome = try Tool.run("model", "show", old.path)
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("RecipeType"))
    }

    @Test("hostile model files are refused in one line (HAZ-47)")
    func hostileModelFilesAreRefused() throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let deep = String(repeating: "<a>", count: 100_000)
        let texts = [
            "entities":
                "<?xml version=\"1.0\"?><!DOCTYPE m [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><model>&x;</model>",
            "deep": "<?xml version=\"1.0\"?><model>\(deep)", "empty": "", "text": "hello", "binary": "bplist00garbage",
        ]
        for (name, text) in texts {
            let file = folder.appendingPathComponent("\(name).mom")
            try Data(text.utf8).write(to: file)
            expectRefusal(try Tool.run("model", "hash", file.path), containing: file.path)
        }
        expectRefusal(try Tool.run("model", "hash", folder.path + "/none"), containing: "there is no such file")
    }
}
