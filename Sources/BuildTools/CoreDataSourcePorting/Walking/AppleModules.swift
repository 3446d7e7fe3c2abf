/// The modules that only Apple's systems have, with names by which uses of each are recognized.
enum AppleModules {
    /// For each module, names that it declares, and prefixes of its names, which a capital letter follows.
    private static let names: [String: (names: Set<String>, beginnings: [String])] = [
        "ObjectiveC": ([], []),
        "Darwin": ([], ["mach_"]),
        "UIKit": (["NSDiffableDataSourceSnapshotReference"], ["UI"]),
        "AppKit": (["NSApplication", "NSView", "NSWindow", "NSViewController", "NSImage", "NSColor"], []),
        "Cocoa": (["NSApplication", "NSView", "NSWindow", "NSViewController", "NSImage", "NSColor"], []),
        "SwiftUI": (
            [
                "View", "FetchRequest", "FetchedResults", "SectionedFetchRequest", "ObservedObject", "StateObject",
                "EnvironmentObject", "Binding", "PreviewProvider", "EnvironmentKey", "EnvironmentValues", "Text",
                "List",
                "App", "Scene", "ObservableObject", "Published", "Query", "Bindable", "State", "Environment", "Preview",
                "Color", "Image", "Font", "ViewModifier", "DynamicProperty", "WindowGroup", "NavigationPath",
                "withAnimation", "LocalizedStringKey", "UIViewRepresentable", "NSViewRepresentable", "PreviewModifier",
                "PreviewTrait",
            ], []
        ),
        "Combine": (
            [
                "AnyCancellable", "Cancellable", "AnyPublisher", "PassthroughSubject", "CurrentValueSubject",
                "Publisher",
                "Publishers", "Subscriber", "Subscribers", "Subscription", "ObservableObject", "Published", "Future",
                "Just", "sink", "ObservableObjectPublisher", "objectWillChange",
            ], []
        ),
        "CloudKit": ([], ["CK"]),
        "CoreSpotlight": ([], ["CS"]),
        "os": (["os_log", "OSLog", "Logger", "OSSignposter", "os_signpost", "os_unfair_lock"], []),
        "OSLog": (["OSLog", "Logger", "OSLogStore", "OSSignposter"], []),
        "CoreLocation": ([], ["CL"]),
        "MapKit": ([], ["MK"]),
        "CoreGraphics": (["CGImage", "CGColor", "CGContext"], []),
        "WatchKit": ([], ["WK"]),
        "WidgetKit": (["Widget", "TimelineProvider"], []),
        "CryptoKit": (["SHA256", "SHA512", "SymmetricKey", "AES", "HMAC"], []),
        "UniformTypeIdentifiers": (["UTType"], []),
    ]

    static func contains(_ module: String) -> Bool { names[module] != nil }

    /// The first of some modules, sorted by name, that declares a name; nil if none does.
    static func owner(of name: String, among modules: Set<String>) -> String? {
        // The name of a property after a dollar sign is its publisher, or its binding.
        if name.hasPrefix("$"), name.dropFirst().first?.isLetter == true {
            return ["Combine", "SwiftUI"].first { modules.contains($0) }
        }
        return modules.sorted().first { module in
            guard let known = names[module] else { return false }
            if known.names.contains(name) { return true }
            return known.beginnings.contains { beginning in
                name.hasPrefix(beginning) && name.dropFirst(beginning.count).first?.isUppercase == true
            }
        }
    }
}
