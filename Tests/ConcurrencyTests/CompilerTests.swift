import CoreData
import TestBasics
import Testing

/// What the compiler lets pass in Swift 6 mode, and in which lines it must find an error.
@Suite(.timeLimit(.minutes(20))) struct CompilerTests {
    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    /// What the compiler says of `Captured.swift`.
    private static func saidOfCaptured(_ flags: [String]) throws -> String {
        let modules = try #require(Toolchain.modules)
        let file = sources.appendingPathComponent("Captured.swift").path
        let (code, said) = try Toolchain.run(
            "swiftc", ["-typecheck", "-warnings-as-errors"] + flags + Toolchain.flags(modules: modules) + [file])
        return code == 0 ? said : said + "\nleft with \(code)"
    }

    @Test(
        "objects, requests and the like go in and out of blocks in each language mode, without a warning (CTX-29)",
        .enabled(if: Toolchain.modules != nil, "the modules are not beside the tests"),
        arguments: [
            ["-swift-version", "5"],
            ["-swift-version", "5", "-strict-concurrency=complete"],
            ["-swift-version", "6"],
            ["-swift-version", "6", "-default-isolation", "MainActor"],
            ["-swift-version", "6", "-enable-upcoming-feature", "NonisolatedNonsendingByDefault"],
        ])
    func capturedBuilds(flags: [String]) throws { #expect(try Self.saidOfCaptured(flags) == "") }

    /// Makes the graph's module as the trait `SendableBlocks` makes it, in a folder that goes before the others.
    private static func strictModule(in folder: URL) throws {
        let modules = try #require(Toolchain.modules)
        let package = sources.deletingLastPathComponent().deletingLastPathComponent()
        let graph = package.appendingPathComponent("Sources/Engine/CoreDataGraph")
        let files = FileManager.default.enumerator(at: graph, includingPropertiesForKeys: nil)
        let paths = files?.compactMap { ($0 as? URL)?.path }.filter { $0.hasSuffix(".swift") } ?? []
        try Toolchain.output(
            "swiftc",
            [
                // As a whole, since the compiler would otherwise read all files once for each of them.
                "-emit-module", "-whole-module-optimization", "-emit-module-path",
                folder.appendingPathComponent("CoreDataGraph.swiftmodule").path,
                "-parse-as-library", "-module-name", "CoreDataGraph", "-swift-version", "6", "-D", "SendableBlocks",
                "-package-name", package.lastPathComponent.lowercased(),
                "-enable-upcoming-feature", "MemberImportVisibility",
                "-Xfrontend", "-experimental-skip-all-function-bodies",
            ] + Toolchain.flags(modules: modules) + paths)
    }

    /// The numbers of the lines of a source in which the compiler finds an error, with the trait `SendableBlocks`.
    private static func faultyLines(_ text: String) throws -> Set<Int> {
        let folder = try TemporaryFolder()
        try strictModule(in: folder.url)
        let file = folder.url.appendingPathComponent("Program.swift")
        try text.write(to: file, atomically: true, encoding: .utf8)
        let modules = try #require(Toolchain.modules)
        let (code, said) = try Toolchain.run(
            "swiftc",
            ["-typecheck", "-swift-version", "6", "-I", folder.url.path] + Toolchain.flags(modules: modules)
                + [file.path])
        let lines = said.split(separator: "\n").compactMap { line -> Int? in
            let parts = line.split(separator: ":")
            guard parts.count > 4, parts[0].hasSuffix("Program.swift"), parts[3] == " error" else { return nil }
            return Int(parts[1])
        }
        // A failure that is no error in the program is one of the check.
        #expect((code == 0) == lines.isEmpty, "\(said)")
        return Set(lines)
    }

    /// The numbers of the lines of a source that are marked as wrong.
    private static func markedLines(_ text: String) -> Set<Int> {
        Set(
            text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { number, line in
                line.hasSuffix("// error") ? number + 1 : nil
            })
    }

    @Test(
        "with the trait SendableBlocks, identifiers, contexts and coordinators pass, objects do not compile (CTX-30)",
        .enabled(if: Toolchain.modules != nil, "the modules are not beside the tests"))
    func objectsStayWithTheirQueue() throws {
        #expect(Self.markedLines(Self.program).count == 6)
        #expect(try Self.faultyLines(Self.program) == Self.markedLines(Self.program))
    }

    private static let program = """
        import CoreDataGraph

        func needsSendable<Value: Sendable>(_ value: Value) {}

        func passing(
            _ context: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator,
            _ container: NSPersistentContainer, _ objectID: NSManagedObjectID, _ policy: NSMergePolicy
        ) async throws {
            needsSendable(context)
            needsSendable(coordinator)
            needsSendable(container)
            needsSendable(objectID)
            needsSendable(policy)
            needsSendable(NSErrorMergePolicy)
            needsSendable(coordinator.managedObjectModel)
            needsSendable(NSManagedObjectContext.ScheduledTaskType.enqueued)
            let same = await context.perform { context.object(with: objectID).objectID }
            needsSendable(same)
        }

        func outOfPerform(_ context: NSManagedObjectContext, _ objectID: NSManagedObjectID) async {
            _ = await context.perform { context.object(with: objectID) } // error
        }

        func outOfAScheduledBlock(_ context: NSManagedObjectContext, _ objectID: NSManagedObjectID) async {
            _ = await context.perform(schedule: .enqueued) { context.object(with: objectID) }  // error
        }

        func outOfATask(_ container: NSPersistentContainer, _ objectID: NSManagedObjectID) async {
            _ = await container.performBackgroundTask { $0.object(with: objectID) } // error
        }

        func intoPerform(_ context: NSManagedObjectContext, _ object: NSManagedObject) async {
            await context.perform { object.setValue(1, forKey: "strength") } // error
        }

        func asSendable(_ object: NSManagedObject) {
            needsSendable(object) // error
        }

        func requests(_ request: NSFetchRequest<NSManagedObject>) {
            needsSendable(request) // error
        }

        """
}
