import Foundation

/// The compiler flags to import products that are not `CoreData`: the module maps of the system libraries that they use.
enum SystemModules {
    /// The program that expands the macros of `SwiftData`.
    private static func macros(_ build: URL) -> [String] {
        let tool = build.appendingPathComponent("SwiftDataMacros-tool")
        guard FileManager.default.fileExists(atPath: tool.path) else { return [] }
        return ["-Xfrontend", "-load-plugin-executable", "-Xfrontend", "\(tool.path)#SwiftDataMacros"]
    }

    static func flags(modules: URL) -> [String] {
        let build = modules.deletingLastPathComponent()
        let made = [
            "CGMime",
            "CAvahi", "CCurl", "CEpoll", "CGnuTLS", "CMarkdown", "CMicroHTTPD", "COpenSSL", "CPostgres", "CSodium",
            "CSpawn",
        ].map {
            build.appendingPathComponent("\($0).build/module.modulemap")
        }
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/System")
        let maps = made + [sources.appendingPathComponent("CLibXML2/module.modulemap")]
        return maps.filter { FileManager.default.fileExists(atPath: $0.path) }.flatMap {
            ["-Xcc", "-fmodule-map-file=\($0.path)"]
        } + ["-Xcc", "-I/usr/include/libxml2"] + macros(build)
    }
}
