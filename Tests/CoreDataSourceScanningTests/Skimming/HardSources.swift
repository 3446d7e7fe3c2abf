/// Sources in which it is hard to tell where a body ends, or which of its parts matter.
enum HardSources {
    /// Sources that are skimmed all the same.
    static let clear: [String] = [
        ####"""
        class A {
            func f() -> String { #"}"{"# + ##"\#("}")"# "## } ; @NSManaged var a: Int
            var b: String { ##"\##(c { "}" })\#({"## } ; @NSManaged var d: Int
            let e = "\(b.map { "\($0 ?? "}")" })"; func g() { "\(x { "\\" })" } ; @NSManaged var h: Int
            let i = #"\#""# ; func j() { #"\"# } ; @NSManaged var k: Int
            let l = "" ; func m() { "\"{" } ; var n: Int { """
                }
                """.count } ; @NSManaged var o: Int
        }
        """####,
        ##"""
        class A {
            func f() -> String {
                #"""
                "" } """ \#(g { "}" }) \(
                """#
            }
            @NSManaged var a: Int
        }
        """##,
        #"""
        class A {
            let text = """
                { \(b ? """
                    }
                    """ : "{") \""" {
                """
            @NSManaged var a: Int
        }
        """#,
        "class A { /* } /* \" */ { */ func f() { /* } */ // }\n } // {\n @NSManaged var a: Int }",
        "class A { var a: Int { b / c } ; var d: Int { e/f + (g)/2 } ; func / (a: A, b: A) { } }",
        "struct A { static func / (a: A, b: A) -> A { a / b }\n static func /= (a: inout A, b: A) { a = a / b } }",
        "class A { func f() { a = b.replacing(/[a-z]+/, with: c) }\n @NSManaged var a: Int }",
        "let a = \\Foo.bar\nlet b = c.map(\\.{ }.d)\nclass A { @NSManaged var a: Int }".replacing(".{ }", with: ""),
        "class A { @NSManaged var `class`: Int ; func `func`() { `if` { } } ; var `a b`: Int { 1 } }",
        """
        class A {
            #if DEBUG
                @NSManaged var a: Int
                func f() { }
            #elseif canImport(UIKit)
                @NSManaged var b: Int
            #else
                override func f() { }
                var c: Int { get throws { 1 } }
            #endif
            func g() {
                #if DEBUG
                    if a { }
                #else
                    b { }
                #endif
            }
            @NSManaged var d: Int
        }
        """,
        """
        class A { func f() { struct B { @NSManaged var a: Int } ; class C: NSManagedObject { var d: Int { 1 } } } }
        extension A { enum B { struct C { class D: NSManagedObject { @NSManaged var a: Int ; func f() { } } } } }
        """,
        """
        class A: NSManagedObject {
            static func keyPathsForValuesAffectingTitle() -> Set<String> { ["a"] }
            class var keyPathsForValuesAffectingOther: Set<String> { ["b"] }
            func validateAge(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws { }
            override class func validateB(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws { }
            @available(*, deprecated) var old: Int { 1 }
            @MainActor var main: Int { 1 }
            override var c: Int { get { 1 } set { } }
            override class var propertyTable: Int { 1 }
            lazy var d: [Int] = { var x = [1] ; x.append(2) ; return x }()
            var e = 3 { willSet(new) { print(new) } didSet { } }
            deinit { print("}") }
            subscript(i: Int) -> Int { get { i } set { } }
            convenience init?<T>(_ t: T) throws where T: Equatable { return nil }
        }
        """,
        """
        class A: NSManagedObject {
            var a: Int? { get { willAccessValue(forKey: "a") ; return primitiveValue(forKey: "a") as? Int } }
            var b: Int? { get { { value(forKey: "b") }() as? Int } set { setValue(newValue, forKey: "b") } }
            var c: Int? { map { "\\(self.value(forKey: "c") ?? "{")" } }
            var d: Int? { self.value(forKey: "other") }
            func e() { value(forKey: "e") }
        }
        """,
        """
        protocol P: class { func a() ; func b() -> Int ; var c: Int { get set } ; init() ; subscript(i: Int) -> Int { get } }
        protocol Q { func a()
            func b() async throws -> Int
            var c: Int { get async throws } }
        class C: P { @NSManaged func addToItems(_ value: C)
            func d() { } }
        actor D { func e() { } ; var f: Int { 1 } }
        struct Buffer<let count: Int> { struct Inner { @NSManaged var a: Int } }
        """,
        """
        let range = 0...
        class A { @NSManaged var a: Int }
        let actor = B.extension { C() }
        class D { let x = y.class { } ; @NSManaged var b: Int }
        """,
        """
        class A: View {
            var body: some View {
                VStack { Text("a") ; if b { Text("{") } else { Spacer() } }
                    .onTap { } done: { print("}") }
            }
            let c = d { $0 } open: { 2 }
            @ViewBuilder func f(@ViewBuilder g: () -> Int = { 3 }) -> some View { Text("") }
            let h = if i { 1 } else { switch j { case .k: 2 default: 3 } }
            override open var l: Int { 1 } ; func m() { } ; @NSManaged var n: Int
        }
        """,
        "class A\r\n{\r\n    func f() {\r\n        \"}\"\r\n    }\r\n    @NSManaged var a: Int\r\n}\r\n",
        "class A\r{\r    func f() {\r        b\r    }\r    @NSManaged var a: Int\r}\r",
        "\u{FEFF}class A { func f() { b } ; @NSManaged var é: Größe? ; var ü: Int { \"👍}\" } }",
        """
        class A {
            @objc
            @available(macOS 10, *)
            override public final func f(_ a: Int) -> (Int) -> Int
            { { $0 } }
            @Wrapper(a: { 1 }) var b: Int
            @NSManaged private class func g()
            func h()
                -> Int where A: B { 1 }
            @_silgen_name("i") func i()
            let o = p { 1 }
            var j: Int { 1 }
            func k() -> @Sendable () -> Void { { } }
            #make(a: { b })
            func ==(a: A, b: A) -> Bool { true }
            @NSManaged func addToL(_ l: A) { }
            var m: Int
        }
        """,
        "if a { class A { @NSManaged var a: Int } } else { b }\nswitch c { case .d: break }\nclass E { @NSManaged var f: Int }",
        "#sourceLocation(file: \"a.swift\", line: 7)\nclass A { func f() { } ; @NSManaged var a: Int }\n#sourceLocation()",
        "@Model final class A { func f() { #expect(a { }) ; #selector(b) } ; @NSManaged var a: Int ; @NSManaged var x }",
    ]

    /// Sources that are not skimmed.
    static let doubtful: [String] = [
        "class A { func f() { } } }",
        "class A { func f() { }",
        "class A { func f() { ( } ) ; @NSManaged var a: Int }",
        "class A { func f() { \"} ; @NSManaged var a: Int }",
        "class A { func f() { /* } ; @NSManaged var a: Int }",
        "class A { func f() { \"\"\"} \"\"\" } ; @NSManaged var a: Int }",
        "class A { func f() { a(/[{]/) } ; @NSManaged var a: Int }",
        "class A { func f() { a(/\"/) } ; @NSManaged var a: Int }",
        "class A { func f() { let a = /b}/ } ; let c = /{d/ ; @NSManaged var a: Int }",
        "class A { func f() { a(#/{/#) } ; @NSManaged var a: Int }",
        "class A { func f() { a(#/\n  {\n/#) } ; @NSManaged var a: Int }",
        ##"class A { let a = #"""# ; @NSManaged var a: Int }"##,
        "class A { func f() { '}' } ; @NSManaged var a: Int }",
        "class A { func f() { `}` } ; @NSManaged var a: Int }",
        "class A { func f() { <#code {#> } ; @NSManaged var a: Int }",
        "class A { func f() { \"\\(a\n)\" } ; @NSManaged var a: Int }",
        "class A {\n func f() {\n#if B\n if c {\n#else\n if d {\n#endif\n } }\n @NSManaged var a: Int }",
        "#if A\nclass A: B {\n#else\nclass A: C {\n#endif\n @NSManaged var a: Int }",
        "class A { func f() { \0 } }",
        "class A { func f() { " + String(repeating: "{", count: 60) + String(repeating: "}", count: 60) + " } }",
        "class A { func f() { " + String(repeating: "\"\\(", count: 60) + String(repeating: ")\"", count: 60) + " } }",
        "#endif",
        "#!/usr/bin/swift\nclass A { func f() { } }",
    ]
}
