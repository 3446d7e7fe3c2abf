import Foundation

/// The dark and light modules of a code, without the light border that it needs around it.
public struct CodeMatrix: Sendable, Equatable {
    /// The type of the code.
    public let type: AVMetadataObject.ObjectType
    /// Modules in a row.
    public let width: Int
    /// Rows; one for codes of bars.
    public let height: Int
    private let dark: [Bool]

    init(type: AVMetadataObject.ObjectType, width: Int, height: Int, dark: [Bool]) {
        (self.type, self.width, self.height, self.dark) = (type, width, height, dark)
    }

    /// Whether a module is dark; false outside of the code.
    public subscript(column: Int, row: Int) -> Bool {
        guard (0..<width).contains(column), (0..<height).contains(row) else { return false }
        return dark[row * width + column]
    }

    /// The modules of the light border at each side, as the types' standards ask for.
    var border: Int {
        switch type {
        case .qr: 4
        case .aztec, .dataMatrix: 2
        default: 10
        }
    }

    /// Rows as they are drawn: bars are a fifth as high as the code is wide.
    var drawnHeight: Int { height > 1 ? height : max(width / 5, 12) }

    func isDrawnDark(_ column: Int, _ row: Int) -> Bool { self[column, height > 1 ? row : 0] }

    /// A matrix of the picture in SVG that `ZXingWriter` writes: a path with a square of one unit for each dark module.
    ///
    /// - Throws: `CodeError` if the file has another form.
    init(type: AVMetadataObject.ObjectType, svg: String) throws {
        let unreadable = CodeError(
            .toolFailed, "'ZXingWriter' wrote a picture of an unknown form", hint: "install version 1.4 or later")
        guard let box = svg.firstMatch(of: #/viewBox="0 0 (\d{1,4}) (\d{1,4})"/#), let width = Int(box.output.1),
            let height = Int(box.output.2), (1...2_000).contains(width), (1...2_000).contains(height)
        else { throw unreadable }
        var dark = [Bool](repeating: false, count: width * height)
        for module in svg.matches(of: #/M(\d{1,4}),(\d{1,4})h1v1h-1z/#) {
            guard let column = Int(module.output.1), let row = Int(module.output.2), column < width, row < height
            else { throw unreadable }
            dark[row * width + column] = true
        }
        guard dark.contains(true) else { throw unreadable }
        self.init(type: type, width: width, height: height, dark: dark)
    }
}
