import BoardModel
import BoardWire
import Testing

@Test("smoke")
func smoke() throws {
    var generator = SystemRandomNumberGenerator()
    let text = Array(
        #"{"type":"edit","seq":19,"base":42,"edit":{"kind":"icon.move","icons":["6F9619FF-8B86-D011-B42D-00C04FC964FF"],"to":{"section":"home","after":"6f9619ff-8b86-d011-b42d-00c04fc964ff"}}}"#
            .utf8)
    let message = try ClientMessage.decode(text.span, using: &generator)
    print(message)
    let event = ServerEvent.dragTarget(
        DragState(
            peer: 3, drag: 1, icons: [], target: Position(section: Slug("home")!, index: 4),
            proposal: .move, point: Point(x: 0.25, y: 0.1)))
    print(String(decoding: event.encoded, as: UTF8.self))
}
