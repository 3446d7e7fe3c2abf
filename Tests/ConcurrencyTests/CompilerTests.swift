import CoreData
import CoreDataTestSupport
import Testing

/// What the compiler lets pass in Swift 6 mode, and in which lines it must find an error.
@Suite(.timeLimit(.minutes(20))) struct CompilerTests {
    /// The folder that the package's products and modules are built into.
    private static let products = URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0])
        .resolvingSymlinksInPath().deletingLastPathComponent()
    private static let sources = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources")

    private static let compiler: URL? = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { URL(fileURLWithPath: "\($0)/swiftc") }.first {
            FileManager.default.isExecutableFile(atPath: $0.path)
        }
    }()

    private static let missing: Comment = "swiftc is not on the path, or the modules are not beside the tests"

    private static var canCompile: Bool {
        compiler != nil
            && FileManager.default.fileExists(
                atPath: products.appendingPathComponent("Modules/CoreData.swiftmodule").path)
    }

    /// The numbers of the lines of a source in which the compiler finds an error.
    private static func faultyLines(_ text: String) throws -> Set<Int> {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("Program.swift")
        try text.write(to: file, atomically: true, encoding: .utf8)
        let process = Process()
        let output = Pipe()
        process.executableURL = compiler
        process.arguments =
            ["-typecheck", "-swift-version", "6", "-I", products.path + "/Modules"]
            + ["CSQLite", "CZlib", "CSwiftRuntime"].flatMap { moduleMap($0) } + [file.path]
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let lines = said.split(separator: "\n").compactMap { line -> Int? in
            let parts = line.split(separator: ":")
            guard parts.count > 4, parts[0].hasSuffix("Program.swift"), parts[3] == " error" else { return nil }
            return Int(parts[1])
        }
        // A failure that is no error in the program is one of the check.
        #expect((process.terminationStatus == 0) == lines.isEmpty, "\(said)")
        return Set(lines)
    }

    /// The numbers of the lines of a source that are marked as wrong.
    private static func markedLines(_ text: String) -> Set<Int> {
        Set(
            text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { number, line in
                line.hasSuffix("// error") ? number + 1 : nil
            })
    }

    private static func moduleMap(_ module: String) -> [String] {
        let own = sources.appendingPathComponent("\(module)/include/module.modulemap").path
        let made = products.appendingPathComponent("\(module).build/module.modulemap").path
        let map = FileManager.default.fileExists(atPath: own) ? own : made
        return ["-Xcc", "-fmodule-map-file=\(map)"]
    }

    @Test(
        "CTX-30: identifiers, contexts, coordinators and containers pass between queues, objects do not compile",
        .enabled(if: canCompile, missing))
    func objectsStayWithTheirQueue() throws {
        #expect(Self.markedLines(Self.program).count == 6)
        #expect(try Self.faultyLines(Self.program) == Self.markedLines(Self.program))
    }

    private static let program = """
        import CoreData

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
