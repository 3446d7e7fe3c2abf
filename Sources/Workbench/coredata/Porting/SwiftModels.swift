import CoreData
import CoreDataExchange
import CoreDataPrinting
import CoreDataWorkbench

/// The models that classes with `@Model` in Swift sources declare, for commands that take a model.
struct SwiftModels {
    let origin: ModelOrigin
    let report: ReadModelReport

    /// Reads a Swift source, or all sources of a folder.
    ///
    /// - Throws: `InspectionError` if the program that reads them is not there, or no class has `@Model`.
    init(at url: URL) throws {
        do {
            report = try PortProgram.models(in: [url.path])
        } catch let error as PortProgram.Failure {
            throw InspectionError(.unreadable, subject: url.path, cause: error.description)
        }
        let last = report.versions.count - 1
        let versions = try report.versions.enumerated().map { number, version in
            let document = try ModelDocument(Data(version.document.utf8))
            return ModelVersion(
                name: version.name, model: try document.makeModel().model, isCurrent: number == last, url: url)
        }
        guard !versions.isEmpty else {
            let reason = report.findings.first.map { "\($0.place): \($0.message)" }
            throw InspectionError(
                .unreadable, subject: url.path, cause: reason ?? "no class in it has @Model",
                hint: "give the file or folder with the model classes")
        }
        origin = ModelOrigin(at: url, versions: versions)
    }

    /// Whether a path is a Swift source or a folder of sources rather than a model in a form of its own.
    static func isSource(_ url: URL) -> Bool {
        if url.pathExtension == "swift" { return true }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue,
            ModelForm(rawValue: url.pathExtension) == nil
        else { return false }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        return names.contains { $0.hasSuffix(".swift") }
    }

    /// The model at a path: classes in Swift, a model in another form, or that of a store.
    static func origin(at url: URL) throws -> ModelOrigin {
        isSource(url) ? try SwiftModels(at: url).origin : try ModelOrigin(at: url)
    }

    /// What a model does not have of the sources, a line each.
    var lines: [String] { report.findings.map { "\($0.place): \($0.message)" } }
}
