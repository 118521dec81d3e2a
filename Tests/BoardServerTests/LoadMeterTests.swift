import BoardServer
import Testing

@Suite("The tick follows the load")
struct LoadMeterTests {
    @Test(
        "DR4: short while there is time, a frame of a screen in between, long when busy",
        arguments: [
            (0, 8), (29, 8), (30, 16), (55, 16), (80, 16), (81, 33), (100, 33), (250, 33),
        ])
    func usual(percent: Int, tick: Int) {
        #expect(LoadMeter(ticks: 8...33).tick(percent: percent) == tick)
    }

    @Test(
        "DR4: the configured bounds hold at every load",
        arguments: [4...4, 4...10, 20...33, 33...33, 16...16])
    func bounds(ticks: ClosedRange<Int>) {
        let meter = LoadMeter(ticks: ticks)
        let kept = (0...120).map { meter.tick(percent: $0) }
        #expect(kept.allSatisfy { ticks.contains($0) })
        #expect(kept == kept.sorted())
        #expect(kept.first == ticks.lowerBound)
        #expect(kept.last == ticks.upperBound)
    }
}
