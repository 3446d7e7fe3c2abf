import CoreData
import TestBasics
import Testing

@Suite(
    "The models of the stores that are browsed",
    .enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct BrowseModelTests {
    private let recipes: URL
    private let books: URL
    private let recipesModel = Fixtures.url(
        "stores/magicalrecord-recipes/Samples/iOS/Application/Models/Recipes.xcdatamodeld")
    private let booksModel = Fixtures.url("stores/apple-coredatabooks/CoreDataBooks/CoreDataBooks.xcdatamodeld")

    init() throws {
        recipes = try Fixtures.copyOfStore(
            "stores/magicalrecord-recipes/Samples/iOS/Resources/RecipeData/Recipes.sqlite")
        books = try Fixtures.copyOfStore("stores/apple-coredatabooks/CoreDataBooks/CoreDataBooks.CDBStore")
    }

    /// The stores that the first page lists, and what is printed about them.
    private func listed(_ arguments: String...) throws -> (stores: [[String: Any]], errors: String) {
        let run = try Tool.run(["browse"] + arguments + ["--print", "/"], environment: [:])
        #expect(run.code == 0, "\(run.errors)")
        let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        return (json?["stores"] as? [[String: Any]] ?? [], run.errors)
    }

    @Test("stores without a model do not end the command, errors name them, and the others are shown (BRW-01)")
    func storesWithoutModelDoNotEndCommand() throws {
        let diary = try Diary()
        defer { diary.remove() }
        let (stores, errors) = try listed(recipes.path, diary.store.path, books.path)
        #expect(stores.count == 3 && stores.filter { $0["closed"] as? Bool == true }.count == 2)
        #expect(errors.contains(recipes.path) && errors.contains(books.path) && !errors.contains(diary.store.path))
        let missing = try listed(diary.store.path, "/no/such/store")
        #expect(missing.stores.count == 2 && missing.errors.contains("/no/such/store"))
    }

    @Test("each store gets the model that is given for it, by its path or its file's name (BRW-02)")
    func eachStoreGetsModelThatIsGiven() throws {
        let (stores, errors) = try listed(
            recipes.path, books.path, "--model", "\(recipes.path)=\(recipesModel.path)", "--model",
            "CoreDataBooks.CDBStore=\(booksModel.path)")
        #expect(stores.count == 2 && stores.allSatisfy { $0["closed"] == nil && $0["uuid"] is String }, "\(errors)")
        let twice = try Tool.run(
            "browse", recipes.path, "--print", "/", "--model", recipesModel.path, "--model", booksModel.path)
        #expect(twice.code == 2 && twice.errors.contains("STORE=PATH"))
    }
}
