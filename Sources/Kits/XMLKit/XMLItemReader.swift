import CLibXML2

/// Reads elements of a document one by one, over libxml2's parser for parts that come one after another.
///
/// In memory are the element at hand, the elements around it that are handed out too, and what a part of the document had besides.
/// Nothing is ever loaded: neither external entities nor document type definitions. Internal entities are replaced,
/// within bounds. Not for several threads at a time.
package final class XMLItemReader {
    private let parser: UnsafeMutablePointer<xmlParserCtxt>
    private let builder: XMLItemBuilder
    private var ready: ArraySlice<XMLItem> = []
    private var isAtEnd = false

    /// - Parameters:
    ///   - paths: where the elements lie; of several that fit the first counts.
    ///   - namespaces: the prefixes by which names of these namespaces are called, whichever the document has for them; names
    ///     of other namespaces have the document's prefix.
    package init(paths: [XMLItemPath], namespaces: [String: String] = [:]) throws {
        let builder = XMLItemBuilder(paths, prefixes: namespaces)
        var handler = XMLItemBuilder.handler
        guard
            let parser = xmlCreatePushParserCtxt(
                &handler, Unmanaged.passUnretained(builder).toOpaque(), nil, 0, nil)
        else { throw XMLReadingError(reason: "there is no memory for a parser", line: 0, column: 0) }
        // The library's own bounds are for trees of whole documents; those of the builder are in their place.
        let options = XML_PARSE_NONET.rawValue | XML_PARSE_NOENT.rawValue | XML_PARSE_HUGE.rawValue
        xmlCtxtUseOptions(parser, Int32(options))
        // Setting the options replaces functions of the handler.
        parser.pointee.sax.pointee = handler
        builder.parser = parser
        (self.parser, self.builder) = (parser, builder)
    }

    deinit {
        xmlFreeDoc(parser.pointee.myDoc)
        xmlFreeParserCtxt(parser)
    }

    /// The next element; nil at the end of the document.
    ///
    /// - Parameter more: appends the next bytes of the document and returns true; returns false at the end.
    /// - Throws: ``XMLReadingError`` for what is not well-formed, also if only the end is, and beyond the bounds; what `more` throws.
    package func next(more: (inout [UInt8]) throws -> Bool) throws -> XMLItem? {
        while ready.isEmpty {
            guard !isAtEnd else { return nil }
            var bytes: [UInt8] = []
            isAtEnd = try !more(&bytes)
            try parse(bytes)
            ready = builder.takeItems()[...]
        }
        return ready.removeFirst()
    }

    private func parse(_ bytes: [UInt8]) throws {
        // A part as large as this at most, which is a number of 32 bits.
        var rest = bytes[...]
        repeat {
            let part = rest.prefix(1 << 20)
            rest = rest.dropFirst(part.count)
            part.withUnsafeBytes { buffer in
                _ = xmlParseChunk(
                    parser, buffer.bindMemory(to: CChar.self).baseAddress, Int32(part.count),
                    isAtEnd && rest.isEmpty ? 1 : 0)
            }
            if let failure = builder.failure { throw failure }
        } while !rest.isEmpty
        // The parser may stop without having said why.
        guard parser.pointee.wellFormed != 0 else {
            throw XMLReadingError(reason: "it is not well-formed", line: builder.line, column: 0)
        }
    }
}
