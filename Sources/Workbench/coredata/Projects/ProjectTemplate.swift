import CoreData
import CoreDataPrinting
import CoreDataWorkbench

/// A new package with a model, a stack and a small program that lists moments.
package struct ProjectTemplate: Sendable {
    /// Where the package manager finds this library.
    package enum Library: Sendable, Equatable {
        /// A folder, absolute or as seen from the new package.
        case path(String)
        /// A repository, of which this version and later compatible ones are used.
        case repository(String, from: String)

        /// An address with a scheme, or of the form `git@host:path`, is a repository; anything else is a path.
        package init(_ text: String, version: String) {
            let isAddress = text.contains("://") || text.hasPrefix("git@")
            self = isAddress ? .repository(text, from: version) : .path(text)
        }

        var text: String {
            switch self {
            case .path(let path): return ".package(name: \"OpenCoreData\", path: \(Self.literal(path)))"
            case .repository(let address, let version):
                let from = "from: \(Self.literal(version))"
                // Before 1.0 a new minor version may break the API, and `from` alone would allow it.
                let versions = version.hasPrefix("0.") ? ".upToNextMinor(\(from))" : from
                return ".package(url: \(Self.literal(address)), \(versions))"
            }
        }

        /// The package's identity in dependencies: for a repository, the last part of its address.
        var identity: String {
            guard case .repository(let address, _) = self else { return "OpenCoreData" }
            let last = address.split(whereSeparator: { "/:".contains($0) }).last.map(String.init) ?? address
            return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
        }

        private static func literal(_ text: String) -> String {
            "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        }
    }

    let name: String
    let library: Library
    /// Whether the program serves its store to web browsers.
    let hasBrowser: Bool
    /// Whether there is a test target, which uses `CoreDataTesting`.
    let hasTests: Bool

    /// - Throws: `InspectionError` for a name that is not valid for a module.
    package init(name: String, library: Library, hasBrowser: Bool, hasTests: Bool = false) throws {
        let isWord = name.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || $0 == "_" || "0"..."9" ~= $0)
        }
        guard isWord, name.count <= 100, name.first?.isLetter == true else {
            throw InspectionError(
                .badValue, subject: PrintableText.escaped(name, limit: 100),
                cause: "the name cannot be that of a module",
                hint: "letters and digits of English, a letter first")
        }
        guard !Self.taken.contains(name.lowercased()) else {
            throw InspectionError(
                .badValue, subject: name, cause: "the project's own code has this name", hint: "take another one")
        }
        (self.name, self.library, self.hasBrowser, self.hasTests) = (name, library, hasBrowser, hasTests)
    }

    /// Names of modules and types that a program with the same name could no longer use.
    private static let taken: Set<String> = [
        "coredata", "opencoredata", "foundation", "swift", "dispatch", "event", "eventlist", "program", "server",
        "persistencecontroller", "coredatatesting", "testing", "coredatabrowser", "coredatabrowserserver",
    ]

    /// The files with their paths in the package.
    var files: [(path: String, text: String)] {
        let model = "Sources/Model/\(name).xcdatamodeld"
        var files = [
            ("Package.swift", ProjectTexts.manifest), (".gitignore", ProjectTexts.ignored),
            ("Sources/Persistence.swift", ProjectTexts.persistence), ("Sources/EventList.swift", ProjectTexts.list),
            ("Sources/Terminal/Program.swift", ProjectTexts.program),
            ("\(model)/\(name).xcdatamodel/contents", ProjectTexts.model),
        ]
        if hasBrowser {
            files += [
                ("Sources/Terminal/Server.swift", ProjectTexts.server),
                ("App/Application.plist", ProjectTexts.application),
            ]
        }
        if hasTests {
            files += [
                ("Tests/EventListTests.swift", ProjectTexts.tests), ("Tests/Budgets.json", ProjectTexts.budgets),
            ]
        }
        return files.map { ($0.0, filled($0.1)) }
    }

    private func filled(_ text: String) -> String {
        let serveUsage =
            "               «product» STORE serve        shows the store in a web browser, until interrupted\n"
        let products = ["CoreData"] + (hasBrowser ? ["CoreDataBrowserServer"] : [])
        let lines = products.map { "                .product(name: \"\($0)\", package: \"\(library.identity)\")," }
        let values = [
            ("«serveUsage»", hasBrowser ? serveUsage : ""),
            ("«serveCase»", hasBrowser ? "        case (\"serve\", 2): return try Server(stack).run()\n" : ""),
            ("«products»", lines.joined(separator: "\n")), ("«package»", library.text),
            ("«tests»", hasTests ? ProjectTexts.testTarget : ""), ("«identity»", library.identity),
            ("package: \"OpenCoreData\")]", "package: \"\(library.identity)\")]"), ("«name»", name),
            ("«product»", name.lowercased()),
        ]
        return values.reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    /// Writes the package into a new or empty folder.
    ///
    /// - Throws: `InspectionError` for a folder that is not empty, and errors of writing; nothing is left then.
    package func write(to folder: URL) throws {
        let manager = FileManager.default
        let exists = manager.fileExists(atPath: folder.path)
        guard !exists || (try? manager.contentsOfDirectory(atPath: folder.path))?.isEmpty == true else {
            throw InspectionError(
                .readOnly, subject: folder.path, cause: "it exists already",
                hint: "give the name of a folder that is not there")
        }
        let temporary = folder.deletingLastPathComponent().appendingPathComponent(".\(name).\(UUID().uuidString)")
        do {
            for (path, text) in files {
                let file = temporary.appendingPathComponent(path)
                try manager.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            if exists { try manager.removeItem(at: folder) }
            try manager.moveItem(at: temporary, to: folder)
        } catch {
            try? manager.removeItem(at: temporary)
            throw error
        }
    }
}
