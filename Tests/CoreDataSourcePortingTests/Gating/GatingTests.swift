import CoreDataSourcePorting
import Testing

@Suite struct GatingTests {
    @Test("a method that goes takes its calls in other files with it, by the types of variables")
    func methodThatGoesTakesItsCallsInOtherFiles() throws {
        let workshop = try Workshop()
        defer { workshop.remove() }
        try workshop.add(
            "Panel.swift",
            """
            import UIKit
            final class Panel {
                static let shared = Panel()
                func paint() -> UIColor? { nil }
                func count() -> Int { 1 }
            }
            """)
        try workshop.add(
            "Use.swift",
            """
            final class Use {
                var panel: Panel?
                func run(_ other: Panel, _ list: List) {
                    print(other.count())
                    _ = panel?.paint()
                    other.paint()
                    Panel.shared.paint()
                    list.paint()
                }
            }
            """)
        let port = try workshop.port()
        let use = try #require(port.files.first { $0.path.hasSuffix("Use.swift") })
        #expect(
            String(decoding: use.after, as: UTF8.self).contains(
                """
                        print(other.count())
                        #if canImport(UIKit)
                        _ = panel?.paint()
                        other.paint()
                        Panel.shared.paint()
                        #endif
                        list.paint()
                """))
    }

    @Test("the smallest part that can go goes: a statement, a member, a type") func smallestPartThatCanGoGoes() throws {
        let (text, findings) = try ported(
            """
            import CoreData
            import UIKit

            final class Stack {
                private var image: UIImage?
                func save() {
                    UIApplication.shared.beginIgnoringInteractionEvents()
                    print("saved")
                }
                /// The size.
                func size() -> CGFloat { UIScreen.main.scale }
                func scale() -> CGFloat {
                    let screen = UIScreen.main
                    return screen.scale
                }
            }

            final class Cell: UITableViewCell {}
            extension UIColor { static let mine = UIColor.red }
            """)
        #expect(findings.isEmpty)
        #expect(
            text == """
                import CoreData
                #if canImport(UIKit)
                import UIKit
                #endif

                final class Stack {
                    #if canImport(UIKit)
                    private var image: UIImage?
                    #endif
                    func save() {
                        #if canImport(UIKit)
                        UIApplication.shared.beginIgnoringInteractionEvents()
                        #endif
                        print("saved")
                    }
                    #if canImport(UIKit)
                    /// The size.
                    func size() -> CGFloat { UIScreen.main.scale }
                    func scale() -> CGFloat {
                        let screen = UIScreen.main
                        return screen.scale
                    }
                    #endif
                }

                #if canImport(UIKit)
                final class Cell: UITableViewCell {}
                extension UIColor { static let mine = UIColor.red }
                #endif
                """)
        #expect(try ported(text).text == text)
    }

    @Test("what needs a part that goes goes with it, in other files too") func whatNeedsPartThatGoesGoes() throws {
        let workshop = try Workshop()
        defer { workshop.remove() }
        try workshop.add("Sources/A/Cell.swift", "import UIKit\nclass Cell: UITableViewCell {}\n")
        try workshop.add(
            "Sources/A/List.swift",
            """
            import Foundation
            struct List {
                var count = 0
                var cells: [Cell] = []
                func show() { self.draw(); print(count) }
                private func draw() { _ = Cell() }
                private func log() { logger.log("x") }
            }
            extension Cell {}
            """)
        try workshop.add("Sources/A/Log.swift", "import os\nlet logger = Logger()\n")
        let port = try workshop.port()
        #expect(port.findings.isEmpty && port.notes.count == 3)
        try port.write()
        #expect(
            try workshop.text("Sources/A/List.swift") == """
                import Foundation
                struct List {
                    var count = 0
                    #if canImport(UIKit)
                    var cells: [Cell] = []
                    #endif
                    func show() { self.draw(); print(count) }
                    private func draw() {\u{20}
                    #if canImport(UIKit)
                    _ = Cell()
                    #endif
                     }
                    private func log() {\u{20}
                    #if canImport(os)
                    logger.log("x")
                    #endif
                     }
                }
                #if canImport(UIKit)
                extension Cell {}
                #endif
                """)
    }

    @Test("a class that cannot be made without a part goes with it; a property with a value stays")
    func classThatCannotBeMadeWithoutPartGoes()
        throws
    {
        let (text, _) = try ported(
            """
            import UIKit
            class A { let view: UIView; init(view: UIView) { self.view = view } }
            class B { var token: Any?; init() { token = UIScreen.main; print(1) } }
            """)
        #expect(text.contains("#if canImport(UIKit)\nclass A {"))
        #expect(text.contains("\nclass B { var token: Any?; init() {"))
        #expect(text.contains("import Foundation\n"))
    }

    @Test("an observable class stays, its conformance and its wrappers go")
    func observableClassStaysItsConformanceAndItsWrappersGo() throws {
        let (text, findings) = try ported(
            """
            import Combine
            class Model: NSObject, ObservableObject {
                @Published var names: [String] = []
                func watch() { $names.sink { _ in }.store(in: &bag) }
                func tell() { objectWillChange.send() }
            }
            """)
        #expect(findings.isEmpty)
        #expect(
            text.contains(
                "class Model: NSObject {\n    #if canImport(Combine)\n    @Published\n    #endif\n    var names"))
        #expect(text.hasSuffix("}\n\n#if canImport(Combine)\nextension Model: ObservableObject {}\n#endif"))
        #expect(text.components(separatedBy: "#if canImport(Combine)").count == 6)
        #expect(try ported(text).text == text)
    }

    @Test("names that the sources have types for are theirs") func namesThatSourcesHaveTypesForAreTheirs() throws {
        let source = "import SwiftUI\nstruct List {}\nlet list = List()\n"
        #expect(try ported(source).text.hasSuffix("struct List {}\nlet list = List()\n"))
    }

    @Test("a source that has Foundation or Core Data through another module imports it itself") func missingImports()
        throws
    {
        #expect(
            try ported("import UIKit\nlet a: NSManagedObject? = nil\n").text.hasPrefix(
                "import CoreData\n#if canImport(UIKit)"))
        #expect(
            try ported("import AppKit\nlet a = Date()\n").text.hasPrefix("import Foundation\n#if canImport(AppKit)"))
        #expect(
            try ported("// A.\n\nimport Foundation\nlet a = NSPredicate(format: \"a\")\n").text.hasPrefix(
                "// A.\n\nimport F"))
        let workshop = try Workshop()
        defer { workshop.remove() }
        try workshop.add("Sources/A/A.swift", "import Foundation\nlet a = NSPredicate(value: true)\n")
        try workshop.add("Sources/A/B.swift", "import CoreData\n")
        try workshop.port().write()
        #expect(try workshop.text("Sources/A/A.swift").hasPrefix("import CoreData\nimport Foundation\n"))
    }
}
