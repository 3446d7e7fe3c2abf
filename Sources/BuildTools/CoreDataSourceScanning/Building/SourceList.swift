import CoreDataModelCompiler

/// The input files of a build as the plugin lists them: one line each, with fields separated by tabs.
///
/// | words | what |
/// |---|---|
/// | `source` PATH | a Swift source of the module |
/// | `other` MODULE PATH | a Swift source of a module that the module depends on |
/// | `model` MODULE PATH | a model of such a module |
/// | `plugin` MODULE PATH | the folder that there is for such a module of the same package if its target has the plugin |
struct SourceList {
    private(set) var sources: [String] = []
    private(set) var others: [String: [String]] = [:]
    private(set) var models: [String: [String]] = [:]
    private(set) var plugins: [String: String] = [:]

    init() {}

    /// Reads a list; ignores lines of any other form.
    init(_ text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: "\t").map(String.init)
            switch (words.first, words.count) {
            case ("source", 2): sources.append(words[1])
            case ("other", 3): others[words[1], default: []].append(words[2])
            case ("model", 3): models[words[1], default: []].append(words[2])
            case ("plugin", 3): plugins[words[1]] = words[2]
            default: continue
            }
        }
    }

    /// The names of the modules that the module depends on.
    var modules: Set<String> { Set(others.keys).union(models.keys) }
}
