import Foundation
import SwiftData
import TestBasics
import Testing

/// Sources with model classes, compiled to a program that is linked with the library of this build.
struct CompiledModels {
    /// What the compiler says where it refuses a source.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    private static let modules = [
        "CSQLite", "CSwiftRuntime", "CZlib", "CoreDataFoundation", "CoreDataGraph", "CoreDataMigration",
        "CoreDataModeling", "CoreDataRecordStores", "CoreDataSQL", "CoreDataSQLite", "CoreDataStore", "SQLiteKit",
        "SwiftData", "CoreData",
    ]

    private let program: URL

    /// Compiles sources by their names; one is `main.swift`.
    init(_ sources: [String: String]) throws {
        let folder = try Fixtures.temporaryFolder()
        for (name, text) in sources { try Data(text.utf8).write(to: folder.appending(path: name)) }
        let build = try #require(Toolchain.modules).deletingLastPathComponent()
        program = folder.appending(path: "models")
        let objects = try Self.objects(of: build)
        let (code, output) = try Toolchain.run(
            "swiftc",
            ["-o", program.path, "-module-name", "Models", "-swift-version", "6"]
                + sources.keys.sorted().map { folder.appending(path: $0).path }
                + Toolchain.flags(modules: build.appending(path: "Modules"))
                + [
                    "-Xfrontend", "-load-plugin-executable", "-Xfrontend",
                    "\(build.path)/SwiftDataMacros-tool#SwiftDataMacros", "-lsqlite3", "-lz",
                ] + objects)
        guard code == 0 else { throw Refusal(description: output) }
    }

    /// The objects of the library's modules that the tests are linked with.
    private static func objects(of build: URL) throws -> [String] {
        let list = build.appending(path: "OpenCoreDataPackageTests.product/Objects.LinkFileList")
        let own = Set(modules.map { "\($0).build" })
        return try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map(String.init)
            .filter { line in line.split(separator: "/").contains { own.contains(String($0)) } }
    }

    /// Runs the program; returns what it prints.
    ///
    /// - Throws: `Toolchain.Failure` unless it exits with 0.
    func run(_ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0, process.terminationReason == .exit else {
            throw Refusal(description: "the program left with \(process.terminationStatus): \(text)")
        }
        return text
    }

    /// A statement that prints the version hashes of classes in a type: `M0 Hero aGFzaA==`.
    static func printing(_ name: String, _ classes: [String]) -> String {
        """
        do {
            let types: [any PersistentModel.Type] = [\(classes.map { "\(name).\($0).self" }.joined(separator: ", "))]
            for (entity, hash) in NSManagedObjectModel.makeManagedObjectModel(for: types)?.entityVersionHashesByName ?? [:] {
                print("\(name)", entity, hash.base64EncodedString())
            }
        }

        """
    }

    /// The hashes that `printing` printed, by the name of the type and the entity.
    static func hashes(_ output: String) -> [String: [String: Data]] {
        var hashes: [String: [String: Data]] = [:]
        for line in output.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            if words.count == 3 { hashes[words[0], default: [:]][words[1]] = Data(base64Encoded: words[2]) }
        }
        return hashes
    }

    /// The declarations of a source within a type.
    static func namespace(_ name: String, _ source: String) -> String {
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.hasPrefix("import ") }
        return "import Foundation\nimport SwiftData\n\nenum \(name) {\n" + lines.joined(separator: "\n") + "\n}\n"
    }
}
