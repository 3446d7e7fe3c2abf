import CoreData
import CoreDataModelCompiler

/// `GET /models/{model}/classes`: the Swift classes of the entities, or of the one named `entity`, as files.
struct ModelClassesPage: Page {
    let route = Route("GET /models/{model}/classes")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let (entity, options) = (call.query["entity"], call.classOptions)
        return try await call.answer { model, version in
            let files = try model.generation(version, entity: entity, options: options).files(.class)
            let reports = files.map { file, isReplaced in
                JSONValue.object([
                    ("name", .string(file.name)), ("replaced", .bool(isReplaced)), ("text", .string(file.text)),
                ])
            }
            let folder = model.classFolder.map { JSONValue.string($0.path) } ?? .null
            return .object([("folder", folder), ("files", .array(reports))])
        }
    }
}

/// `POST /models/{model}/classes`: writes the classes into the folder that the program was started with.
struct ModelClassWritingPage: Page {
    let route = Route("POST /models/{model}/classes")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let (entity, options) = (call.query["entity"], call.classOptions)
        return try await call.answer { model, version in
            try model.requireEditing()
            guard let folder = model.classFolder else {
                throw BrowserFailure(
                    409, code: "noFolder", reason: "no folder for classes was named",
                    hint: "start with --classes FOLDER")
            }
            let outcomes = try model.generation(version, entity: entity, options: options).write(
                to: folder, style: .class)
            let files = outcomes.map {
                JSONValue.object([("name", .string($0.name)), ("outcome", .string($0.outcome.rawValue))])
            }
            return .object([("folder", .string(folder.path)), ("files", .array(files))])
        }
    }
}

extension EditedModel {
    fileprivate func generation(
        _ version: String?, entity: String?, options: ClassOptions
    ) throws -> SourceGeneration {
        let model = try modelVersion(version)
        return try SourceGeneration(of: model.model, at: model.url, entity: entity, options: options)
    }
}

extension PageCall {
    /// The options of class generation, which commands call `--numbers`, `--required`, `--sets` and `--validation`.
    fileprivate var classOptions: ClassOptions {
        ClassOptions(
            usesScalars: query["numbers"].flatMap { ["scalar", "object"].contains($0) ? $0 == "scalar" : nil },
            unwrapsRequired: query["required"] == "1", typesSets: query["sets"] == "1",
            addsValidation: query["validation"] == "1", ownsEveryClass: true)
    }
}
