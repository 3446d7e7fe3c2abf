import SwiftIfConfig
import SwiftSyntax

/// The values of `#if` conditions for a target that this package's plugin builds: no Apple system, no Objective-C.
struct BuildConditions: BuildConfiguration {
    private static let missingModules: Set = [
        "ObjectiveC", "UIKit", "AppKit", "SwiftUI", "Combine", "CloudKit", "CoreSpotlight", "Cocoa", "os",
        "CoreGraphics",
        "CoreLocation", "MapKit", "WatchKit", "WidgetKit", "SwiftData",
    ]
    /// The conditions that the build sets, such as `DEBUG`.
    let conditions: Set<String>

    func isCustomConditionSet(name: String) -> Bool { conditions.contains(name) }
    func hasFeature(name: String) -> Bool { true }
    func hasAttribute(name: String) -> Bool { true }
    func canImport(importPath: [(TokenSyntax, String)], version: CanImportVersion) -> Bool {
        importPath.first.map { !Self.missingModules.contains($0.1) } ?? false
    }
    func isActiveTargetOS(name: String) -> Bool { name == Self.system }
    func isActiveTargetArchitecture(name: String) -> Bool { name == Self.architecture }
    func isActiveTargetEnvironment(name: String) -> Bool { false }
    func isActiveTargetRuntime(name: String) -> Bool { name == "_Native" || name == "native" }
    func isActiveTargetPointerAuthentication(name: String) -> Bool { name == "_none" }
    func isActiveTargetObjectFormat(name: String) -> Bool { name == "ELF" }
    var targetPointerBitWidth: Int { Int.bitWidth }
    var targetAtomicBitWidths: [Int] { [8, 16, 32, 64, 128] }
    var endianness: Endianness { 1.littleEndian == 1 ? .little : .big }
    var languageVersion: VersionTuple { VersionTuple(6, 0) }
    var compilerVersion: VersionTuple { VersionTuple(6, 3) }

    #if os(Linux)
        private static let system = "Linux"
    #elseif os(Windows)
        private static let system = "Windows"
    #elseif os(Android)
        private static let system = "Android"
    #else
        private static let system = "macOS"
    #endif

    #if arch(arm64)
        private static let architecture = "arm64"
    #else
        private static let architecture = "x86_64"
    #endif
}
