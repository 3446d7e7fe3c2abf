import CoreDataModeling

/// Model sources in a few words: the elements between `<model>` and `</model>`.
enum SourceText {
    static func model(_ body: String) -> Data {
        let head = #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#
        return Data("\(head)\n<model userDefinedModelVersionIdentifier=\"\">\n\(body)\n</model>\n".utf8)
    }

    static func read(_ body: String) throws -> NSManagedObjectModel { try NSManagedObjectModel(source: model(body)) }

    /// The error that reading gives; nil if the model is read.
    static func error(_ data: Data) -> ModelingError? {
        do {
            _ = try NSManagedObjectModel(source: data)
            return nil
        } catch {
            return error as? ModelingError
        }
    }

    static func error(_ body: String) -> ModelingError? { error(model(body)) }
}
