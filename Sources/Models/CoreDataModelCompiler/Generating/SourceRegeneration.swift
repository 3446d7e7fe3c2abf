import CoreDataModeling

/// Regenerates the generated sources in a folder after their model was edited.
package struct SourceRegeneration {
    /// The files whose text changes.
    package private(set) var changes: [FileChange] = []
    /// Sentences about what the author still has to do.
    package private(set) var notes: [String] = []

    /// All combinations of options with which `SourceGeneration` may have written properties.
    private static let ways: [ClassOptions] = [nil, true, false].flatMap { usesScalars in
        [false, true].flatMap { unwrapsRequired in
            [false, true].map { typesSets in
                ClassOptions(
                    usesScalars: usesScalars, unwrapsRequired: unwrapsRequired, typesSets: typesSets,
                    ownsEveryClass: true)
            }
        }
    }

    /// Finds the files that were generated from the old model, with any options, and generates them from the new one.
    ///
    /// A file that differs from the old model's file under all options is not changed; a note names it.
    /// - Throws: `ModelingError` if the classes of a model cannot be generated, or a file cannot be read.
    package init(in folder: URL, from old: NSManagedObjectModel, to new: NSManagedObjectModel) throws {
        for subject in try ModelClasses(of: old, options: ClassOptions(ownsEveryClass: true)).classes {
            let url = folder.appendingPathComponent(subject.propertiesFileName)
            guard FileManager.default.fileExists(atPath: url.path) else { continue }
            guard Self.isInside(folder, url) else {
                notes.append("'\(url.lastPathComponent)' is a link that leads out of the folder, and stays as it is")
                continue
            }
            let before = try BoundedFile.read(url, limit: BoundedFile.greatestModelSize)
            guard let options = try Self.ways.first(where: { try Self.text(of: subject.name, old, $0) == before })
            else {
                notes.append("'\(url.lastPathComponent)' is not what is generated of the model: generate it again")
                continue
            }
            guard let after = try Self.text(of: subject.name, new, options) else {
                notes.append(
                    "'\(url.lastPathComponent)' is of class '\(subject.name)', which the model does not have any more: "
                        + "generate the classes, and take over what was written by hand")
                continue
            }
            guard after != before else { continue }
            changes.append(FileChange(url, before: before, after: after))
        }
    }

    private static func text(
        of name: String, _ model: NSManagedObjectModel, _ options: ClassOptions
    ) throws -> Data? {
        let subject = try ModelClasses(of: model, options: options)[name]
        return subject.map { Data(ManagedSource($0, options: options).propertiesFile.text.utf8) }
    }

    /// The positions, as `FILE:LINE`, at which other sources of the folder and the folders in it contain a word; at most twenty.
    package static func mentions(of word: String, in folder: URL, except files: Set<String>) -> [String] {
        var places: [String] = []
        for name in sources(in: folder) where !files.contains(name) {
            let url = folder.appendingPathComponent(name)
            guard isInside(folder, url), let data = try? BoundedFile.read(url, limit: 4 << 20) else { continue }
            let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            for (number, line) in lines.enumerated() where words(of: line).contains(Substring(word)) {
                places.append("\(name):\(number + 1)")
                if places.count == 20 { return places }
            }
        }
        return places
    }

    /// The paths of the Swift files below a folder, hidden ones left out; links to folders are not followed. At most ten thousand.
    private static func sources(in folder: URL) -> [String] {
        guard let paths = FileManager.default.enumerator(atPath: folder.path) else { return [] }
        var found: [String] = []
        while found.count < 10_000, let path = paths.nextObject() as? String {
            let name = path.split(separator: "/").last ?? ""
            if name.hasPrefix(".") { paths.skipDescendants() } else if name.hasSuffix(".swift") { found.append(path) }
        }
        return found.sorted()
    }

    private static func isInside(_ folder: URL, _ file: URL) -> Bool {
        file.resolvingSymlinksInPath().path.hasPrefix(folder.resolvingSymlinksInPath().path + "/")
    }

    private static func words(of line: Substring) -> [Substring] {
        line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    }
}
