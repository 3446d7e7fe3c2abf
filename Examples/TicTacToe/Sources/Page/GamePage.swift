import Foundation
import LoopbackService
import Synchronization

/// A page with the board, for one player on this machine: the browser looks each second whether it has changed.
final class GamePage: Sendable {
    private let screen = Mutex(Match.Screen())
    private let touch: @Sendable (Match.Input) -> Void

    /// - Parameter touch: Called with what the player does.
    init(touch: @escaping @Sendable (Match.Input) -> Void) { self.touch = touch }

    func show(_ screen: Match.Screen) { self.screen.withLock { $0 = screen } }

    /// Answers `GET /`, `POST /touch` with `square`, and `POST /new` for a new game after a lost link. A form of another page is not taken.
    func answer(_ request: HTTPRequest) -> HTTPResponse {
        switch (request.method, request.path) {
        case ("GET", []): return .content(Data(html.utf8), "text/html; charset=utf-8")
        case ("POST", ["touch"]):
            guard isOwn(request.headers) else { return .refusal(403, "The form is of another page.") }
            guard let square = request.form["square"].flatMap({ Int($0) }), Board.squares.contains(square) else {
                return .refusal(400, "A square is a number from 1000 to 1008.")
            }
            touch(.touch(square))
            return HTTPResponse(status: 303, headers: ["Location": "/"])
        case ("POST", ["new"]):
            guard isOwn(request.headers) else { return .refusal(403, "The form is of another page.") }
            let isLost = screen.withLock { screen in
                defer { if screen.hasLostLink { screen.alert = [] } }
                return screen.hasLostLink
            }
            if isLost { touch(.newGame) }
            return HTTPResponse(status: 303, headers: ["Location": "/"])
        default: return .refusal(404, "There is the board at / alone.")
        }
    }

    /// Whether a form was sent by this page: browsers name the page's origin, which is the host that was asked.
    private func isOwn(_ headers: [String: String]) -> Bool {
        let named = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
        guard let origin = named["origin"] else { return true }
        return named["host"].map { origin == "http://" + $0 } ?? false
    }

    private var html: String {
        let screen = screen.withLock { $0 }
        let rows = (0..<3).map { row in
            "<tr>" + (0..<3).map { cell(screen, 3 * row + $0) }.joined() + "</tr>"
        }.joined(separator: "\n")
        let alert =
            screen.alert.isEmpty
            ? "" : "<p role=\"alert\">\(Self.escaped(screen.alert.prefix(2).joined(separator: ": ")))</p>"
        let newGame =
            screen.hasLostLink
            ? "<form method=\"post\" action=\"/new\"><button class=\"new\" autofocus>New Game</button></form>" : ""
        // Without scripts what a player reads and presses is not taken away under the fingers.
        let refresh =
            screen.isOwnTurn || screen.hasLostLink
            ? "" : "<noscript><meta http-equiv=\"refresh\" content=\"1\"></noscript>"
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">\(refresh)\(Self.script)
            <title>Tic-Tac-Toe</title>
            <style>body { font: 1.2em sans-serif; text-align: center } table { margin: auto; border-collapse: collapse }
            td { border: 2px solid; width: 4em; height: 4em } button { font-size: 2em; width: 100%; height: 100%; border: 0 }
            button.new { font-size: 1em; width: auto; height: auto; padding: .6em 1.4em; margin: .5em; border: 2px solid }</style></head>
            <body><h1>Tic-Tac-Toe</h1><p>\(Self.escaped(screen.opponent.map { "Against \($0)" } ?? "No opponent yet"))</p>
            \(alert)<form method="post" action="/touch"><table>
            \(rows)
            </table></form>\(newGame)<p role="status">\(Self.escaped(screen.label))</p></body></html>
            """
    }

    /// Looks each second what the board is, also on the own turn, since the other side may go; the focus stays where nothing has changed.
    private static let script = """
        <script>
        setInterval(async () => {
            const text = await fetch('/').then((answer) => answer.text()).catch(() => null);
            if (text === null) return;
            const body = new DOMParser().parseFromString(text, 'text/html').body;
            if (body.innerHTML === document.body.innerHTML) return;
            document.body.replaceWith(body);
            body.querySelector('[autofocus]')?.focus();
        }, 1000);
        </script>
        """

    private func cell(_ screen: Match.Screen, _ index: Int) -> String {
        if let piece = screen.pieces[index] { return "<td>\(piece.rawValue)</td>" }
        let state = screen.isOwnTurn ? "" : " disabled"
        return """
            <td><button name="square" value="\(1_000 + index)" aria-label="square \(index + 1)"\(state)>&nbsp;</button></td>
            """
    }

    private static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "\"", with: "&quot;")
    }
}

extension Match.Screen {
    /// Whether the link was lost, and the player is offered a new game.
    var hasLostLink: Bool { opponent == nil && !alert.isEmpty }
}
