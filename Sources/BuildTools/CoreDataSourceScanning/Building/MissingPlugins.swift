import CoreDataModelCompiler

/// Reports modules whose `@NSManaged` members get no accessors because their targets lack the plugin.
enum MissingPlugins {
    /// A finding for each module of a list that lacks the plugin, at its first managed member.
    static func findings(in list: SourceList) -> [ScanFinding] {
        list.plugins.sorted { $0.key < $1.key }.compactMap { module, folder in
            guard !FileManager.default.fileExists(atPath: folder) else { return nil }
            for path in list.others[module] ?? [] {
                if let place = firstMember(in: path) { return ScanFinding(place: place, message: message(module)) }
            }
            return nil
        }
    }

    private static func message(_ module: String) -> String {
        "The target of '\(module)' has @NSManaged members and not the plugin that writes their accessors: add "
            + ".plugin(name: \"CoreDataModelPlugin\", package: \"OpenCoreData\") to its plugins in Package.swift."
    }

    private static func firstMember(in path: String) -> CodePlace? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8), text.contains("@NSManaged") else {
            return nil
        }
        return firstMember(of: SourceScanner().scan(text, file: path).types)
    }

    private static func firstMember(of types: [ScannedType]) -> CodePlace? {
        types.lazy.compactMap { type in
            type.properties.first?.place ?? type.methods.first?.place ?? firstMember(of: type.types)
        }.first
    }
}
