import Foundation

/// The compiler flags to import products that are not `CoreData`: the module maps of the system libraries that they use.
enum SystemModules {
    static func flags(modules: URL) -> [String] {
        let build = modules.deletingLastPathComponent()
        let made = ["CCurl", "CGnuTLS", "CMicroHTTPD", "COpenSSL", "CPostgres", "CSodium"].map {
            build.appendingPathComponent("\($0).build/module.modulemap")
        }
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/System")
        let maps = made + [sources.appendingPathComponent("CLibXML2/module.modulemap")]
        return maps.filter { FileManager.default.fileExists(atPath: $0.path) }.flatMap {
            ["-Xcc", "-fmodule-map-file=\($0.path)"]
        } + ["-Xcc", "-I/usr/include/libxml2"]
    }
}
