/// A pattern of dates in its parts, such as `d. MMMM y` (UTS #35, Part 4).
struct DatePattern {
    enum Part: Equatable {
        /// A letter with how often it stands there.
        case field(Character, Int)
        case text(String)
    }

    let parts: [Part]

    init(_ pattern: String) {
        var parts: [Part] = []
        var isQuoted = false
        // Scalars, since a mark that combines with a quote would hide it.
        var scalars = Array(pattern.unicodeScalars)[...]
        func add(_ scalar: Unicode.Scalar) {
            guard case .text(var text)? = parts.last else { return parts.append(.text(String(scalar))) }
            text.unicodeScalars.append(scalar)
            parts[parts.count - 1] = .text(text)
        }
        while let next = scalars.popFirst() {
            if next == "'" {
                if scalars.first == "'" {
                    add("'")
                    scalars.removeFirst()
                } else {
                    isQuoted.toggle()
                }
            } else if !isQuoted, next.isASCII, next.properties.isAlphabetic {
                if case .field(Character(next), let count)? = parts.last {
                    parts[parts.count - 1] = .field(Character(next), count + 1)
                } else {
                    parts.append(.field(Character(next), 1))
                }
            } else {
                add(next)
            }
        }
        self.parts = parts
    }
}
