extension CodeMatrix {
    /// The code as a document in SVG, in units of a module, with the light border.
    ///
    /// - Parameter title: What the picture shows, for readers that do not see it.
    public func svg(title: String? = nil) -> String {
        let drawing = drawing
        let (width, height) = (drawing.width, drawing.height)
        let name = title.map { "<title>\(Self.escaped($0))</title>" } ?? ""
        return
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(height)\" shape-rendering=\"crispEdges\">"
            + name + "<path fill=\"#fff\" d=\"M0 0h\(width)v\(height)H0z\"/><path d=\"\(drawing.path)\"/></svg>"
    }

    /// The dark modules as the data of a path in SVG, in units of a module, and the size with the light border.
    package var drawing: (width: Int, height: Int, path: String) {
        var path = ""
        for row in 0..<height {
            var column = 0
            while column < width {
                guard self[column, row] else {
                    column += 1
                    continue
                }
                let start = column
                while self[column, row] { column += 1 }
                let length = height > 1 ? 1 : drawnHeight
                path += "M\(start + border) \(row + border)h\(column - start)v\(length)h-\(column - start)z"
            }
        }
        return (width + 2 * border, drawnHeight + 2 * border, path)
    }

    /// A text as character data; characters that XML does not have are left out.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\u{FFFE}", "\u{FFFF}": break
            default:
                if scalar.value >= 0x20 || scalar == "\n" || scalar == "\t" { escaped.unicodeScalars.append(scalar) }
            }
        }
        return escaped
    }
}
