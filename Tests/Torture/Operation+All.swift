import CoreData
import StoreContract
import WriteScenarios

extension Operation {
    /// Every operation that is interrupted; a further one is a line here.
    static let all: [Operation] = [
        library("create", prepare: { _ in }, run: { try Scene(Library.url($0), Library.model()).close() }),
        Operation(name: "open and read", models: models, prepare: make, run: read),
        Operation(name: "fetch", models: models, prepare: make, run: fetch),
        library("save") { try save($0) },
        library(
            "save in a rollback journal", prepare: { try Library.make(Library.url($0), journal: "delete") },
            run: { try save($0, journal: "delete") }),
        library("save with history", prepare: makeWithHistory, run: { try save($0, history) }),
        library("delete", run: delete),
        library("purge history", prepare: makeWithHistory, run: purge),
        library("insert a batch", run: insertBatch),
        library("update a batch", run: updateBatch),
        library("delete a batch", run: deleteBatch),
        library("set metadata", run: setMetadata),
        Operation(name: "migrate by inference", models: bothModels, prepare: make, run: migrate),
        Operation(
            name: "migrate by a mapping model", models: { [BookVersions.old(), BookVersions.new()] },
            prepare: { _ = try BookVersions.make(in: $0) },
            run: { "\(try BookVersions.migrate($0.appendingPathComponent("Books.sqlite")).count)" }),
        library("copy", run: copy),
        library("replace", prepare: makeTwo, run: replace),
        library("destroy", run: destroy),
    ]

    /// An operation on a library that answers nothing.
    private static func library(
        _ name: String, prepare: @escaping @Sendable (URL) throws -> Void = make,
        run: @escaping @Sendable (URL) throws -> Void
    ) -> Operation {
        Operation(name: name, models: models, prepare: prepare) {
            try run($0)
            return ""
        }
    }

    @Sendable private static func models() -> [NSManagedObjectModel] { [Library.model()] }
    @Sendable private static func bothModels() -> [NSManagedObjectModel] { [Library.model(), Library.newModel()] }
    private static var history: [AnyHashable: Any] { [NSPersistentHistoryTrackingKey: true] }

    @Sendable private static func make(_ folder: URL) throws { try Library.make(Library.url(folder)) }

    @Sendable private static func makeTwo(_ folder: URL) throws {
        try make(folder)
        try Library.make(Library.url(folder, "Source"), salt: " of the source")
    }

    @Sendable private static func makeWithHistory(_ folder: URL) throws {
        try Library.make(Library.url(folder), history)
        try Library.with(folder, history) { scene in
            for number in 0..<6 {
                scene.context.insert("Tag", ["name": "late tag \(number)"])
                try scene.context.save()
            }
        }
    }
}
