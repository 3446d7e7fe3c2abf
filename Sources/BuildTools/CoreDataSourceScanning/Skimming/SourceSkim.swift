import CoreDataModelCompiler

/// A Swift source with the code blanked out that the scanner does not need, so that there is less to parse.
///
/// Spaces replace the bodies of functions, accessors and closures, and complete member functions that the scanner does
/// not need. Line breaks stay, so all other code keeps its lines and columns.
///
/// 1. No code is removed that `SourceScanner` reads. A body with the word `forKey` stays, since an accessor in it may
///    access its own key.
/// 2. Removed code has balanced brackets, comments, literals and conditions, so the rest parses as before.
/// 3. In doubt nothing is removed: for an unclosed brace, a condition that begins or ends inside a brace pair, or a
///    regular expression with a quote.
package struct SourceSkim {
    private var cursor: CodeCursor
    private var hidden: [Range<Int>] = []

    private init(_ cursor: CodeCursor) { self.cursor = cursor }

    /// The source with spaces for the code that the scanner does not need; nil if it cannot be tokenized with
    /// certainty.
    package static func text(of source: String) -> String? {
        var source = source
        return source.withUTF8 { bytes in
            ByteClass.table.withUnsafeBufferPointer { classes in
                guard let table = classes.baseAddress, let cursor = try? CodeCursor(bytes, classes: table) else {
                    return nil
                }
                var skim = SourceSkim(cursor)
                guard (try? skim.declarations(until: .file, depth: 0)) != nil else { return nil }
                return String(decoding: skim.blanked(bytes), as: UTF8.self)
            }
        }
    }

    private func blanked(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var text = Array(bytes)
        for range in hidden {
            let original = UnsafeRawBufferPointer(bytes)[range]
            text.withUnsafeMutableBytes { text in
                guard let place = text.baseAddress, let source = UnsafeRawBufferPointer(rebasing: original).baseAddress
                else { return }
                memset(place + range.lowerBound, 0x20, range.count)
                for lineEnd: UInt8 in [0x0A, 0x0D] {
                    var from = 0
                    while let found = memchr(source + from, Int32(lineEnd), range.count - from) {
                        from = UnsafeRawPointer(found) - source
                        text[range.lowerBound + from] = lineEnd
                        from += 1
                    }
                }
            }
        }
        return text
    }

    // MARK: Code that is seen

    /// Reads declarations up to a closing token; `isInType` states whether they are members of a type.
    private mutating func declarations(
        until closing: CodeToken.Closing, isInType: Bool = false, depth: Int
    ) throws(CodeCursor.Doubt) {
        guard depth < CodeCursor.depthLimit else { throw CodeCursor.Doubt() }
        var head = DeclarationHead(isBoundary: closing == .brace)
        while true {
            let token = try cursor.next()
            switch token.kind {
            case .word: head.take(word: cursor.text(of: token), at: token)
            case .mark: head.take(mark: cursor.byte(token.start), at: token)
            case .opening(.brace):
                if head.isType {
                    try declarations(until: .brace, isInType: true, depth: depth + 1)
                } else {
                    try body(behind: token, depth: depth + 1)
                    if isInType, let start = head.uselessFunction { try hideFunction(from: start) }
                }
                head = DeclarationHead(isBoundary: true)
            case .opening(.condition):
                try declarations(until: .condition, isInType: isInType, depth: depth + 1)
                head = DeclarationHead(isBoundary: false)
            case .opening(let inner):
                try code(until: inner, depth: depth + 1)
                head.takeGroup(inner, at: token)
            case .alternative:
                guard closing == .condition else { throw CodeCursor.Doubt() }
                head = DeclarationHead(isBoundary: false)
            case .closing(let found):
                guard found == closing else { throw CodeCursor.Doubt() }
                return
            }
        }
    }

    /// Reads code other than declarations up to a closing token: the inside of parentheses, or accessors.
    private mutating func code(until closing: CodeToken.Closing, depth: Int) throws(CodeCursor.Doubt) {
        guard depth < CodeCursor.depthLimit else { throw CodeCursor.Doubt() }
        while true {
            let token = try cursor.next()
            switch token.kind {
            case .word, .mark: continue
            case .opening(.brace): try body(behind: token, depth: depth + 1)
            case .opening(let inner): try code(until: inner, depth: depth + 1)
            case .alternative: guard closing == .condition else { throw CodeCursor.Doubt() }
            case .closing(let found):
                guard found == closing else { throw CodeCursor.Doubt() }
                return
            }
        }
    }

    // MARK: Code that is hidden

    /// Reads a body after its opening brace and hides it unless it has accessors or the word `forKey`.
    private mutating func body(behind brace: CodeToken, depth: Int) throws(CodeCursor.Doubt) {
        if try beginsWithAccessor() { return try code(until: .brace, depth: depth) }
        cursor.hasPassedKey = false
        try cursor.skip(to: .brace)
        if !cursor.hasPassedKey { hidden.append(brace.end..<cursor.index - 1) }
    }

    /// Whether the next token may begin an accessor.
    private func beginsWithAccessor() throws(CodeCursor.Doubt) -> Bool {
        var ahead = cursor
        let token = try ahead.next()
        switch token.kind {
        case .word: return Self.accessors.contains(ahead.text(of: token))
        case .mark: return [UInt8(ascii: "@"), UInt8(ascii: "#")].contains(ahead.byte(token.start))
        case .opening(let closing): return closing == .condition
        default: return false
        }
    }

    private static let accessors: Set = [
        "get", "set", "willSet", "didSet", "init", "read", "_read", "modify", "_modify", "yielding", "borrow", "mutate",
        "unsafeAddress", "unsafeMutableAddress", "mutating", "nonmutating", "borrowing", "consuming", "__consuming",
        "nonisolated", "async", "throws",
    ]

    /// Hides a function from its first attribute to its closing brace, which was just read.
    private mutating func hideFunction(from start: Int) throws(CodeCursor.Doubt) {
        // A function before a semicolon stays: without it, the semicolon would not parse.
        var ahead = cursor
        let next = try ahead.next()
        if case .mark = next.kind, ahead.byte(next.start) == UInt8(ascii: ";") { return }
        while let last = hidden.last, last.lowerBound >= start { hidden.removeLast() }
        hidden.append(start..<cursor.index)
    }
}
