import Foundation
import PackagePlugin

/// The files of a target and of those that it depends on, as the compiler is told of them.
///
/// What they are is written into a file, for there may be more of them than a command can have words; its lines are
/// described where they are read (`SourceList`).
struct TargetSources {
    /// The library's own modules, whose types the compiler knows by itself.
    private static let library: Set = [
        "CAvahi", "CCurl", "CEpoll", "CGMime", "CLibXML2", "CMarkdown", "CMicroHTTPD", "COpenSSL",
        "CPostgres",
        "CSQLite", "CSodium", "CSpawn", "CSwiftRuntime", "CZlib", "CoreData", "CoreDataAccounts", "CoreDataBrowser",
        "CoreDataBrowserServer", "CoreDataCodes", "CoreDataDocuments", "CoreDataExchange", "CoreDataFoundation",
        "CoreDataGazetteer",
        "CoreDataGraph", "CoreDataJobs", "CoreDataKinds", "CoreDataLibrary", "CoreDataLocalization", "CoreDataMail",
        "CoreDataMedia",
        "CoreDataMigration", "CoreDataMigrationChecks", "CoreDataMigrationPlanning", "CoreDataModelCompiler",
        "CoreDataModelEditing", "CoreDataModeling", "CoreDataPhotoLibrary", "CoreDataPictures",
        "CoreDataPlaces", "CoreDataPostgres", "CoreDataRecordStores", "CoreDataRecordings", "CoreDataSpeech",
        "CoreDataRepair", "CoreDataSQL", "CoreDataSQLite", "CoreDataStore", "CoreDataSync", "CoreDataSyncHub",
        "CoreDataSyncPeers", "CoreDataSyncSealing", "CoreDataSyncing", "CoreDataTracing", "CoreDataTransfer",
        "CoreDataTesting", "CoreDataViewing", "CoreDataWorkbench", "DiscoveryKit", "Documents", "HTTPServerKit",
        "LockKit", "MarkdownKit",
        "MediaToolKit",
        "MultipeerConnectivity", "NetServices", "PeerKit", "PeerTestSupport", "PostgresKit", "ProgramKit", "SQLiteKit",
        "StoreContract", "SwiftData", "SwiftDataMacros", "TestBasics", "TestBrowsers", "TestServers",
        "UniformTypeIdentifiers", "XMLKit",
    ]

    private let own: [URL]
    private var others: [(module: String, word: String, file: URL)] = []
    /// The folders that the plugin has for other targets of the package, by their modules.
    private var workFolders: [(module: String, folder: URL)] = []

    /// `work` is the folder that the plugin has for the target.
    init(of target: any SourceModuleTarget, work: URL) {
        own = Self.swiftFiles(of: target)
        var visited: Set<String> = [target.name]
        add(target.dependencies, &visited)
        // The folder is `Target/destination/CoreDataModelPlugin` in that of the package.
        let package = work.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        for case .target(let other as any SourceModuleTarget) in target.dependencies
        where !Self.library.contains(other.name) {
            workFolders.append((other.moduleName, package.appending(path: other.name)))
        }
    }

    /// The names of a target's own files.
    static func fileNames(of target: any SourceModuleTarget) -> Set<String> {
        Set(target.sourceFiles.map(\.url.lastPathComponent))
    }

    private mutating func add(_ dependencies: [TargetDependency], _ visited: inout Set<String>) {
        for dependency in dependencies {
            let targets: [any Target] =
                switch dependency {
                case .target(let target): [target]
                case .product(let product): product.targets
                @unknown default: []
                }
            for target in targets where !Self.library.contains(target.name) && visited.insert(target.name).inserted {
                if let target = target as? any SourceModuleTarget { add(target) }
                add(target.dependencies, &visited)
            }
        }
    }

    private mutating func add(_ target: any SourceModuleTarget) {
        others += Self.swiftFiles(of: target).map { (target.moduleName, "other", $0) }
        let models = target.sourceFiles.map(\.url).filter(ModelSource.isModel)
        others += models.map { (target.moduleName, "model", $0) }
    }

    private static func swiftFiles(of target: any SourceModuleTarget) -> [URL] {
        target.sourceFiles.filter { $0.type == .source && $0.url.pathExtension == "swift" }.map(\.url)
            .sorted { $0.path < $1.path }
    }

    /// All files whose edits matter.
    var inputFiles: [URL] {
        own + others.flatMap { $0.word == "model" ? ModelSource(url: $0.file).inputFiles : [$0.file] }
    }

    /// Writes the list unless the file has it.
    func write(to file: URL) throws {
        let lines =
            own.map { "source\t\($0.path(percentEncoded: false))" }
            + others.map { "\($0.word)\t\($0.module)\t\($0.file.path(percentEncoded: false))" }
            + workFolders.map { "plugin\t\($0.module)\t\($0.folder.path(percentEncoded: false))" }
        let text = Data(lines.map { $0 + "\n" }.joined().utf8)
        if (try? Data(contentsOf: file)) != text { try text.write(to: file) }
    }
}
