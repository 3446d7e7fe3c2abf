/// The folder of a module's sources, with the facts about it that rules need.
struct ModuleFolder {
    let url: URL
    /// Whether a model is in it, so that the build makes a bundle of resources.
    let hasModel: Bool

    /// The maximum number of files examined in the search for a model.
    private static let limit = 20_000

    /// Returns the module folder of a source from `known`, or searches it for a model and adds it to `known`.
    init(of source: URL, in folder: URL, known: inout [String: ModuleFolder]) {
        let url = Self.packageFolder(of: source) ?? folder
        self = known[url.path] ?? ModuleFolder(url)
        known[url.path] = self
    }

    private init(_ url: URL) {
        self.url = url
        let names = FileManager.default.enumerator(atPath: url.path)
        var (hasModel, count) = (false, 0)
        while let name = names?.nextObject() as? String, count < Self.limit, !hasModel {
            count += 1
            hasModel = [".xcdatamodeld", ".xcdatamodel", ".momd", ".mom"].contains { name.hasSuffix($0) }
        }
        self.hasModel = hasModel
    }

    /// The folder directly under `Sources` or `Tests` that contains a source; nil if there is none.
    static func packageFolder(of source: URL) -> URL? {
        let parts = source.pathComponents
        guard let place = parts.lastIndex(where: { $0 == "Sources" || $0 == "Tests" }), place + 2 < parts.count else {
            return nil
        }
        return parts[1...(place + 1)].reduce(URL(fileURLWithPath: "/")) { $0.appendingPathComponent($1) }
    }
}
