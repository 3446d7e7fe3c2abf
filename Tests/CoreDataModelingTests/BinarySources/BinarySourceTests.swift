import CoreDataModeling
import TestBasics
import Testing

@Suite(.enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct BinarySourceTests {
    private static let recipes = "stores/magicalrecord-recipes/Samples/iOS/"

    @Test(
        "a model in the form before Xcode 4 opens the store of its time (MOD-03, MOD-36)",
        arguments: [
            (
                recipes + "Application/Models/Recipes.xcdatamodeld/Recipes 2.xcdatamodel",
                recipes + "Resources/RecipeData/Recipes.sqlite"
            ),
            (
                "stores/apple-coredatabooks/CoreDataBooks/CoreDataBooks.xcdatamodeld",
                "stores/apple-coredatabooks/CoreDataBooks/CoreDataBooks.CDBStore"
            ),
        ])
    func oldModelsFitTheirStores(model: String, store: String) throws {
        let model = try NSManagedObjectModel(reading: Fixtures.url(model))
        let metadata = try FixtureSupport.bookkeeping(of: store).metadata
        let plist = try PropertyList(binary: metadata).foundationValue as? [String: Any]
        let stored = try #require(plist?["NSStoreModelVersionHashes"] as? [String: Data])
        #expect(model.entityVersionHashesByName == stored)
        #expect(
            model.isConfiguration(withName: nil, compatibleWithStoreMetadata: ["NSStoreModelVersionHashes": stored]))
    }

    @Test("the recipes of 2009 are read with types, defaults, rules and inverses (MOD-03)")
    func recipesAreReadInFull() throws {
        let path = Self.recipes + "Application/Models/Recipes.xcdatamodeld/Recipes 2.xcdatamodel/elements"
        let model = try NSManagedObjectModel(reading: Fixtures.url(path))
        #expect(model.entitiesByName.keys.sorted() == ["Image", "Ingredient", "Recipe", "RecipeType"])
        let ingredient = try #require(model.entitiesByName["Ingredient"])
        #expect(ingredient.managedObjectClassName == "Ingredient")
        #expect(ingredient.attributesByName["name"]?.defaultValue as? String == "Ingredient Name")
        #expect(ingredient.attributesByName["displayOrder"]?.defaultValue as? NSNumber == 0)
        #expect(ingredient.attributesByName["displayOrder"]?.type == .integer16)
        let recipe = try #require(model.entitiesByName["Recipe"])
        let ingredients = try #require(recipe.relationshipsByName["ingredients"])
        #expect(ingredients.isToMany)
        #expect(ingredients.deleteRule == .cascadeDeleteRule)
        #expect(ingredients.inverseRelationship === ingredient.relationshipsByName["recipe"])
        #expect(recipe.attributesByName["thumbnailImage"]?.valueTransformerName == "ImageToDataTransformer")
    }

    @Test("the limits and defaults of the books of 2009 are read (MOD-03)")
    func booksHaveTheirLimits() throws {
        let path = "stores/apple-coredatabooks/CoreDataBooks/CoreDataBooks.xcdatamodeld"
        let model = try NSManagedObjectModel(reading: Fixtures.url(path))
        let author = try #require(model.entitiesByName["Book"]?.attributesByName["author"])
        #expect(author.defaultValue as? String == "Author")
        #expect(!author.isOptional)
        #expect(author.validationRules.map(\.check) == [.minimumLength(1)])
    }

    @Test("The models within the sources of mapping models equal those of their projects")
    func embeddedModelsAreRead() throws {
        var read = 0
        var known = 0
        for path in FixtureSupport.paths(endingIn: "xcmapping.xml") {
            let project = path.split(separator: "/").prefix(2).joined(separator: "/") + "/"
            let sources = try FixtureSupport.paths(endingIn: ".xcdatamodel/contents").filter { $0.hasPrefix(project) }
                .map { try NSManagedObjectModel(reading: Fixtures.url($0)).entityVersionHashesByName }
            for data in try Self.embeddedModels(Fixtures.url(path)) {
                let model = try NSManagedObjectModel(binarySource: data)
                #expect(!model.entities.isEmpty, "\(path)")
                if sources.contains(model.entityVersionHashesByName) { known += 1 }
                read += 1
            }
        }
        print("\(read) embedded models, \(known) equal to a source beside them")
        #expect(read >= 22)
        #expect(known >= 1)
    }

    /// The binary attributes of a mapping model's source that hold models.
    private static func embeddedModels(_ url: URL) throws -> [Data] {
        let text = try String(contentsOf: url, encoding: .utf8)
        return text.components(separatedBy: "modeldata\" type=\"binary\">").dropFirst().compactMap { part in
            let content = part.prefix { $0 != "<" }
            return Data(base64Encoded: String(content), options: .ignoreUnknownCharacters)
        }.filter { !$0.isEmpty }
    }

    @Test("an archive of something else is refused by the name of its class (HAZ-48)")
    func otherArchivesAreRefused() throws {
        let compiled = try Data(contentsOf: Fixtures.url(CompiledModelWriterTests.compiled[0]))
        let error = #expect(throws: ModelingError.self) { try NSManagedObjectModel(binarySource: compiled) }
        #expect(error?.code == .unexpectedClass)
        #expect(error?.cause.contains("NSManagedObjectModel") == true)
    }
}
